import { isAbsolute } from "node:path";
import type { QuestionHandlers, Transport } from "@quire/client";
import { quireVersion } from "@quire/protocol";
import { type Auth, checkAuth } from "./auth.ts";
import { checkOptions } from "./check-options.ts";
import { checkWord } from "./check-word.ts";
import { AgentConfigError } from "./config-error.ts";

/** When the server asks before it acts. */
export type AgentApprovalPolicy = "never" | "untrusted" | "on-failure" | "on-request";

/** A kind of approval that an agent may give by itself. */
export type AutoApproval = "commands" | "fileChanges" | "mcpTools";

/** The sandbox of the agent's own tools. */
export type AgentSandbox = "read-only" | "workspace-write" | "danger-full-access";

/** An MCP server: a program that is started, or an address. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly [option: string]: unknown;
    }
  | { readonly url: string; readonly [option: string]: unknown };

/** Options of an agent's connection and behaviour. */
export interface AgentClientConfig extends Pick<QuestionHandlers, "onApproval" | "onUserInput" | "onElicitation"> {
  /**
   * Program and arguments of the server, started for each evaluation. Default `["codex", "app-server"]`. `codex` and
   * `quire` are found as {@link CodexClient.spawn} finds them.
   */
  readonly command?: readonly string[] | undefined;
  /** A running server instead: `ws://`, `wss://` or `unix://`. */
  readonly url?: string | undefined;
  /** Any other way instead: makes a transport for each evaluation. */
  readonly transport?: (() => Transport | Promise<Transport>) | undefined;
  /** The agent's folder, as an absolute path. Default: the prompt's workspace, else the current folder. */
  readonly cwd?: string | undefined;
  /** Variables for the server, besides those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `hermetic` starts the server with a home of its own and nothing but the variables that it needs. */
  readonly home?: "hermetic" | undefined;
  /** Keeps the server's stderr for errors only; false also writes it to this process's own. Default true. */
  readonly suppressStderr?: boolean | undefined;
  /** The time limit of start and handshake. Default 10 s. */
  readonly startupTimeoutMs?: number | undefined;
  /** The time that the server has to end a turn after an interrupt; then it is killed. Default 5 s. */
  readonly interruptGraceMs?: number | undefined;
  /** The time that the server has to exit at the end; then it is killed. Default 2 s. */
  readonly shutdownMs?: number | undefined;
  /** Default `never`: the server asks nothing, and what it asks all the same is declined unless {@link autoApprove} names it. */
  readonly approvalPolicy?: AgentApprovalPolicy | undefined;
  /** Kinds of actions that are approved without a handler, each time for the one action. Default: none. */
  readonly autoApprove?: readonly AutoApproval[] | undefined;
  /** Default: as the server is set up. */
  readonly sandbox?: AgentSandbox | undefined;
  /** Default: as the server is logged in already. */
  readonly auth?: Auth | undefined;
  /** Continues the thread of the session's previous evaluation. Default false. */
  readonly reuseThread?: boolean | undefined;
  /** Further MCP servers for the agent, by name. */
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Keeps threads off the server's disk. Default false. */
  readonly ephemeral?: boolean | undefined;
  /** The agent's name for the server. Default `quire`. */
  readonly clientName?: string | undefined;
  /** Default: Quire's. */
  readonly clientVersion?: string | undefined;
  /** Keeps a transcript. Default true. */
  readonly transcript?: boolean | undefined;
  /** Keeps the raw messages in its entries. Default true. */
  readonly transcriptRaw?: boolean | undefined;
}

/** Options that have a value in any case. */
type Defaulted =
  | "command"
  | "suppressStderr"
  | "startupTimeoutMs"
  | "interruptGraceMs"
  | "approvalPolicy"
  | "autoApprove"
  | "reuseThread"
  | "ephemeral"
  | "clientName"
  | "clientVersion"
  | "transcript"
  | "transcriptRaw";

/** A configuration with its defaults filled in. */
export type FullClientConfig = AgentClientConfig & { readonly [K in Defaulted]: NonNullable<AgentClientConfig[K]> };

const defaults: Pick<FullClientConfig, Defaulted> = {
  command: ["codex", "app-server"],
  suppressStderr: true,
  startupTimeoutMs: 10_000,
  interruptGraceMs: 5000,
  approvalPolicy: "never",
  autoApprove: [],
  reuseThread: false,
  ephemeral: false,
  clientName: "quire",
  clientVersion: quireVersion,
  transcript: true,
  transcriptRaw: true,
};

const known: readonly (keyof AgentClientConfig)[] = [
  ...(Object.keys(defaults) as Defaulted[]),
  ...(["url", "transport", "cwd", "env", "home", "shutdownMs", "sandbox", "auth", "mcpServers"] as const),
  ...(["onApproval", "onUserInput", "onElicitation"] as const),
];

/** Names of the same settings in the design that this package follows. */
const otherNames = new Map([
  ["codexBin", "command"],
  ["codex_bin", "command"],
  ["startup_timeout_s", "startupTimeoutMs"],
  ["sandboxMode", "sandbox"],
  ["sandbox_mode", "sandbox"],
  ["authMode", "auth"],
  ["auth_mode", "auth"],
]);

/** Checks a configuration and fills it in. The result cannot be changed. */
export function fullClientConfig(given: AgentClientConfig = {}): FullClientConfig {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const config: FullClientConfig = { ...defaults, ...(set as Partial<FullClientConfig>) };
  checkOptions("The client", given, { known, otherNames });
  checkWord("approvalPolicy", config.approvalPolicy, ["never", "untrusted", "on-failure", "on-request"]);
  for (const kind of config.autoApprove) checkWord("autoApprove", kind, ["commands", "fileChanges", "mcpTools"]);
  checkWord("sandbox", config.sandbox, ["read-only", "workspace-write", "danger-full-access"]);
  if (config.cwd !== undefined && !isAbsolute(config.cwd))
    throw new AgentConfigError(`cwd must be an absolute path, not ${config.cwd}`);
  if (config.reuseThread && config.ephemeral)
    throw new AgentConfigError("reuseThread needs threads that are kept: it cannot be combined with ephemeral");
  if ([given.command, given.url, given.transport].filter((way) => way !== undefined).length > 1)
    throw new AgentConfigError("command, url and transport are alternatives: set one of them");
  if (config.auth !== undefined) checkAuth(config.auth);
  return Object.freeze(config);
}
