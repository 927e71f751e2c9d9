import type { Tool } from "@quire/client";
import type { Clock } from "../lib/clock.ts";
import type { Session } from "../session/session.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** Calls of the prompt's tools that are under way. */
export class WatchedTools {
  readonly #session: Session;
  readonly #transcript: Transcript | undefined;
  #called = false;

  constructor(session: Session, transcript: Transcript | undefined) {
    this.#session = session;
    this.#transcript = transcript;
  }

  /** The same tools, whose calls are written down and can be waited for. */
  watch(tools: readonly Tool[]): Tool[] {
    return tools.map((tool) => ({ ...tool, run: (input, context) => this.#call(tool, input, context) }));
  }

  /** Waits until every transaction has ended and rolled back, within a time limit. */
  async settle(clock: Clock, mostMs: number): Promise<void> {
    if (!this.#called) return;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = clock.setTimeout(resolve, mostMs);
    });
    // Calls are answered as soon as nobody waits for them; their transactions come before those that queue now.
    await Promise.race([this.#session.calls.run(async () => undefined), late]);
    cancel();
  }

  async #call(tool: Tool, input: unknown, context: Parameters<Tool["run"]>[1]): Promise<unknown> {
    const { callId } = context;
    const record = (entryType: "toolUse" | "toolResult", more: object) =>
      this.#transcript?.add({ entryType, detail: { tool: tool.name, callId, ...more } });
    this.#called = true;
    record("toolUse", { arguments: input });
    try {
      const result = await tool.run(input, context);
      record("toolResult", { success: true });
      return result;
    } catch (error) {
      record("toolResult", { success: false });
      throw error;
    }
  }
}
