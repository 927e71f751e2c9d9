import type { ReasoningEffort, ReasoningSummary } from "@quire/protocol";
import type { CodexClient } from "../client/client.ts";
import type { ConnectOptions, SpawnOptions } from "../client/client-options.ts";
import type { TurnOptions } from "../thread/run-turn.ts";
import type { StartOptions } from "../thread/start-params.ts";
import type { Tool } from "../tools/tool.ts";

/** Settings of a model. */
export interface CodexModelSettings {
  /** For the threads that it starts: folder, sandbox, approvals, instructions, configuration. */
  readonly thread?: Omit<StartOptions, "model" | "tools"> | undefined;
  /** For each turn: effort, summary, personality and the like. */
  readonly turn?: Omit<TurnOptions, "model" | "signal"> | undefined;
  /** Tools that Codex has this program run by itself. The AI SDK sees their calls as executed by the provider. */
  readonly tools?: readonly Tool[] | undefined;
  /**
   * The time for which a turn waits for a tool that the AI SDK runs. Then the tool has failed and the turn is
   * interrupted: nobody would read on. Default 5 min; 0 waits for ever.
   */
  readonly toolTimeoutMs?: number | undefined;
}

/** The type of `providerOptions.codex` of a call. */
export interface CodexCallOptions {
  /**
   * The thread to continue: `providerMetadata.codex.threadId` of an earlier result. It knows what was said, so only
   * the newest user message is sent. A thread that was started as `ephemeral` cannot be gone on with.
   */
  readonly threadId?: string | undefined;
  readonly effort?: ReasoningEffort | undefined;
  readonly summary?: ReasoningSummary | undefined;
}

/** The type of `providerMetadata.codex` of a result. */
export interface CodexMetadata {
  readonly threadId: string;
  readonly turnId: string;
}

/** The provider's way to a server: an existing client, a socket, or a child process. */
export type CodexConnection =
  | { readonly client: CodexClient }
  | ({ readonly url: string } & ConnectOptions)
  | (SpawnOptions & { readonly client?: undefined; readonly url?: undefined });

/** Options of `createCodex()`. */
export type CreateCodexOptions = CodexConnection & {
  /** Settings of all its models; those of one model go before. */
  readonly settings?: CodexModelSettings | undefined;
};

/** The default time for which a turn waits for tools that the AI SDK runs. */
export const defaultToolTimeoutMs: number = 300_000;

/** A model's own settings over those of its provider. */
export function mergeSettings(base: CodexModelSettings = {}, own: CodexModelSettings = {}): CodexModelSettings {
  return { ...base, ...own, thread: { ...base.thread, ...own.thread }, turn: { ...base.turn, ...own.turn } };
}
