import type {
  ApprovalsReviewer,
  AskForApproval,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxPolicy,
  Verbosity,
} from "@quire/protocol";
import type { LayerWarning } from "./layer.ts";
import type { AwsAccess } from "./provider/aws-access.ts";
import type { GatewayOAuth } from "./provider/gateway-oauth.ts";
import type { TokenCommand } from "./provider/token-command.ts";
import type { Requirements } from "./requirements.ts";

/** What holds for one thread: the files, the command line and the thread's own overrides, resolved. */
export interface EffectiveConfig {
  readonly model: string;
  readonly modelProvider: string;
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  /** How much the model shall say; `null` leaves it to the model. */
  readonly verbosity?: Verbosity | null | undefined;
  readonly approvalPolicy: AskForApproval;
  readonly approvalsReviewer: ApprovalsReviewer;
  readonly sandboxPolicy: SandboxPolicy;
  /** The policy of `workspace-write` with its settings, for who chooses that mode. Throws where they are wrong. */
  readonly workspaceWrite?: (() => SandboxPolicy) | undefined;
  readonly personality: Personality | null;
  readonly serviceTier: string | null;
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  /** Tokens the model takes; `null` where nothing is known. */
  readonly contextWindow: number | null;
  /** History beyond this many tokens is compacted by itself; `null`: nine tenths of the window. */
  readonly autoCompactLimit: number | null;
  /** Bytes of project instructions (AGENTS.md) taken at most; 0 takes none. */
  readonly projectDocMaxBytes: number;
  /** What else than AGENTS.md may hold project instructions, in order of preference. */
  readonly projectDocFallbacks: readonly string[];
  /** The provider's row. */
  readonly provider: ProviderConfig;
  /** Folders of configuration that count: the home, then those of a trusted project from its root down. */
  readonly folders: readonly string[];
  /** What of the project's own configuration does not count, and why. */
  readonly warnings?: readonly LayerWarning[] | undefined;
  /** What an administrator lets users choose among; left out where everything is free. */
  readonly requirements?: Requirements | undefined;
  /** All of it as read, for what only one part needs (tools, MCP servers, shell environment, features). */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** One row of `[model_providers]`. */
export interface ProviderConfig {
  readonly id: string;
  readonly name: string;
  /** `null` marks the built-in offline model. */
  readonly baseUrl: string | null;
  readonly envKey: string | null;
  readonly envKeyInstructions: string | null;
  /** A token written into the config itself. */
  readonly bearerToken: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose value is read from a variable. */
  readonly envHeaders: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly requestMaxRetries: number;
  readonly streamMaxRetries: number;
  readonly streamIdleTimeoutMs: number;
  readonly requiresOpenaiAuth: boolean;
  /** Where the provider stands behind a gateway at which users sign in. */
  readonly gatewayOauth?: GatewayOAuth;
  /** Where a program prints the token. */
  readonly tokenCommand?: TokenCommand;
  /** Where requests are signed for AWS. */
  readonly aws?: AwsAccess;
}

/** Reads configuration. Files are read when asked for and again only when they changed. */
export interface ConfigSource {
  /** Where threads, config and logs live. */
  readonly home: string;
  /** Throws a {@link ConfigError} for what cannot be used. */
  resolve(request: ConfigRequest): EffectiveConfig;
}

/** For whom the config is resolved. */
export interface ConfigRequest {
  readonly cwd: string;
  /** Keys as on the command line's `-c`: dotted paths to values. */
  readonly overrides?: Readonly<Record<string, unknown>> | null | undefined;
}
