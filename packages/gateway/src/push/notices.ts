import { visibleText } from "@quire/protocol";
import type { PushNotice } from "@quire/protocol/gateway";
import type { Hub } from "../hub/hub.ts";
import type { OpenQuestion } from "../hub/open-question.ts";
import type { PushSet } from "./push-set.ts";

/** Characters of a title and of a body. A question that is longer is answered in the page, where all of it is seen. */
const limits = { title: 100, body: 240 } as const;

/** Tells devices when a turn has ended or something is asked. */
export class Notices {
  readonly #push: PushSet;

  constructor(push: PushSet) {
    this.#push = push;
  }

  asked(hub: Hub, { id, method, params }: OpenQuestion): void {
    if (this.#push.size === 0) return;
    const { threadId, command, reason } = (params ?? {}) as Record<string, unknown>;
    if (typeof threadId !== "string") return;
    const what = textOf(command) || textOf(reason);
    const shown = oneLine(what);
    const canDecide =
      method === "item/commandExecution/requestApproval" &&
      what !== "" &&
      shown.length <= limits.body &&
      shown === what;
    void this.#send(hub, threadId, {
      kind: "asks",
      body: shown === "" ? "Waiting for your answer" : cut(shown, limits.body),
      question: canDecide ? id : null,
    });
  }

  turnEnded(hub: Hub, params: unknown): void {
    if (this.#push.size === 0) return;
    const { threadId, turn } = (params ?? {}) as { threadId?: unknown; turn?: { status?: unknown } };
    // What the user stopped is no news to the user.
    if (typeof threadId !== "string" || turn?.status === "interrupted") return;
    const body = turn?.status === "failed" ? "The turn failed" : "The turn has ended";
    void this.#send(hub, threadId, { kind: "ended", body, question: null });
  }

  async #send(hub: Hub, threadId: string, what: Pick<PushNotice, "kind" | "body" | "question">): Promise<void> {
    const thread = await hub.describe(threadId);
    // Sub-agents report to their parent; only their questions are for the user.
    if (what.kind === "ended" && thread.isSubAgent) return;
    const title = cut(oneLine(thread.title) || "Quire", limits.title);
    await this.#push.send({ ...what, hub: hub.id, thread: threadId, title } satisfies PushNotice);
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(String).join(" ") : "";
const oneLine = (text: string): string => visibleText(text, { oneLine: true });
const cut = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`);
