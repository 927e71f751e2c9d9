import type { CodexModelSettings } from "../ai-sdk/settings.ts";
import type { ConnectOptions } from "../client/client-options.ts";
import type { StartOptions } from "../thread/start-params.ts";

/** Options of `createCodexHarness()`. */
export interface CodexHarnessOptions {
  /** The server to start in the sandbox, which must have it: Codex or that of `@quire/cli`. Default `codex`. */
  readonly server?: "codex" | "quire" | undefined;
  /** Program and first arguments, instead. Default `["codex", "app-server"]`. */
  readonly command?: readonly string[] | undefined;
  /** The port of the sandbox that the server listens on. Default: the first that it exposes. */
  readonly port?: number | undefined;
  /** The address in the sandbox to listen on. Default 127.0.0.1 if the port is one of this machine, else 0.0.0.0. */
  readonly listenHost?: string | undefined;
  /** Variables for the server, such as `CODEX_API_KEY`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For the thread: sandbox, instructions, configuration. Codex's own sandbox is `workspace-write` by default. */
  readonly thread?: Omit<StartOptions, "model" | "tools" | "cwd" | "approvalPolicy"> | undefined;
  /** For each turn: effort, summary, personality and the like. */
  readonly turn?: CodexModelSettings["turn"];
  /** The time for the server to listen. Default 30 s. */
  readonly startTimeoutMs?: number | undefined;
  /** Options of the client, such as `onUserInput` and `onElicitation`. */
  readonly client?: Omit<ConnectOptions, "token" | "headers" | "onApproval"> | undefined;
}
