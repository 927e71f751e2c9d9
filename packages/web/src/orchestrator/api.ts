import type { IssueDetail } from "./wire.ts";

/** Calls an orchestrator's status API below `base`. What it refuses rejects with its own words. */
export class OrchestratorApi {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Address of the state, as server-sent events. */
  get eventsUrl(): string {
    return `${this.#base}/api/v1/events`;
  }

  /** All about one issue; null where it is not known any more. */
  async issue(identifier: string, signal: AbortSignal): Promise<IssueDetail | null> {
    const response = await fetch(this.#url(`issues/${encodeURIComponent(identifier)}`), { signal });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(await refusal(response));
    return (await response.json()) as IssueDetail;
  }

  command(name: "refresh" | "pause" | "resume"): Promise<void> {
    return this.#post(name);
  }

  issueCommand(identifier: string, name: "retry" | "stop"): Promise<void> {
    return this.#post(`issues/${encodeURIComponent(identifier)}/${name}`);
  }

  async #post(path: string): Promise<void> {
    const response = await fetch(this.#url(path), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    if (!response.ok) throw new Error(await refusal(response));
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
  return text === "" ? `The orchestrator answered ${response.status}.` : text;
}
