import { boardWords } from "../words/words.ts";
import { type BoardQuery, firstCards } from "./board-query.ts";
import type { IssueDetail, IssueDiff } from "./wire.ts";

/** A person's command for one issue. */
export type IssueCommand =
  | { readonly name: "retry" | "stop" | "approve" }
  | { readonly name: "rework" | "answer"; readonly text: string }
  /** Null gives the tracker's priority back. */
  | { readonly name: "priority"; readonly priority: number | null };

/** Calls an orchestrator's status API below `base`. What it refuses rejects with its own words. */
export class OrchestratorApi {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Address of the board, as server-sent events. */
  boardUrl({ search, limits }: BoardQuery): string {
    const query = new URLSearchParams({ limit: String(firstCards) });
    if (search !== "") query.set("q", search);
    for (const [name, limit] of Object.entries(limits)) query.set(name, String(limit));
    return this.#url(`board/events?${query.toString()}`);
  }

  /** Changes of an issue's branch. */
  async diff(identifier: string, signal: AbortSignal): Promise<IssueDiff> {
    const response = await fetch(this.#issueUrl(identifier, "/diff"), { signal });
    if (!response.ok) throw new Error(await refusal(response));
    return (await response.json()) as IssueDiff;
  }

  /** All about one issue; null where it is not known any more. */
  async issue(identifier: string, signal: AbortSignal): Promise<IssueDetail | null> {
    const response = await fetch(this.#issueUrl(identifier), { signal });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await refusal(response));
    return (await response.json()) as IssueDetail;
  }

  command(name: "refresh" | "pause" | "resume"): Promise<void> {
    return this.#post(name);
  }

  issueCommand(identifier: string, { name, ...body }: IssueCommand): Promise<void> {
    return this.#post(`issues/${encodeURIComponent(identifier)}/${name}`, body);
  }

  async #post(path: string, body: object = {}): Promise<void> {
    const response = await fetch(this.#url(path), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await refusal(response));
  }

  #issueUrl(identifier: string, below = ""): string {
    return this.#url(`issues/${encodeURIComponent(identifier)}${below}`);
  }

  #url(path: string): string {
    return `${this.#base}/api/v1/${path}`;
  }
}

/** The message of a failed response: the API's own, or the gateway's text. */
async function refusal(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // Not JSON: the gateway answered in its place.
  }
  return text === "" ? boardWords.refused(response.status) : text;
}
