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

/** The settings of one thread: files, command line and the thread's own overrides, resolved. */
export interface EffectiveConfig {
  readonly model: string;
  readonly modelProvider: string;
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  /** `null` leaves it to the model. */
  readonly verbosity?: Verbosity | null | undefined;
  readonly approvalPolicy: AskForApproval;
  readonly approvalsReviewer: ApprovalsReviewer;
  readonly sandboxPolicy: SandboxPolicy;
  /** The policy of `workspace-write` with its settings. Throws when they are wrong. */
  readonly workspaceWrite?: (() => SandboxPolicy) | undefined;
  readonly personality: Personality | null;
  readonly serviceTier: string | null;
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  /** `null` when it is unknown. */
  readonly contextWindow: number | null;
  /** True for a model with little context: it gets a compact prompt and few tools. */
  readonly isSmall?: true | undefined;
  /** Tokens at which the history is compacted automatically; `null` for nine tenths of the window. */
  readonly autoCompactLimit: number | null;
  /** Maximum bytes of project instructions (AGENTS.md); 0 for none. */
  readonly projectDocMaxBytes: number;
  /** Alternatives to AGENTS.md, in order of preference. */
  readonly projectDocFallbacks: readonly string[];
  readonly provider: ProviderConfig;
  /** Configuration folders in effect: the home, then those of a trusted project from its root down. */
  readonly folders: readonly string[];
  /** Parts of the project's configuration that are ignored, and why. */
  readonly warnings?: readonly LayerWarning[] | undefined;
  /** The administrator's limits; left out when there are none. */
  readonly requirements?: Requirements | undefined;
  /** The merged tables, for settings that only one part needs. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Forms of requests: all that OpenAI knows, or what every endpoint of the Responses API takes. */
type Dialect = "openai" | "plain";

/** A provider package of the AI SDK that the user has installed. */
export interface PackageWire {
  readonly package: string;
  /** The folder in whose `node_modules` it is looked for first. */
  readonly home: string;
}

/** A wire other than the Responses API. */
export type WireChoice = "chat" | "anthropic" | "gemini" | PackageWire;

/** A row of `[model_providers]`. */
export interface ProviderConfig {
  readonly id: string;
  readonly name: string;
  /** Without an address and a wire, it is the built-in offline model. */
  readonly baseUrl: string | null;
  /** True for a model that was given in code. */
  readonly isEmbedded?: true | undefined;
  /** Default: the Responses API. */
  readonly wire?: WireChoice | undefined;
  /** The bound of one answer. Default: the model's. */
  readonly maxOutputTokens?: number | undefined;
  readonly envKey: string | null;
  readonly envKeyInstructions: string | null;
  readonly bearerToken: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose value comes from a variable. */
  readonly envHeaders: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly requestMaxRetries: number;
  readonly streamMaxRetries: number;
  readonly streamIdleTimeoutMs: number;
  readonly requiresOpenaiAuth: boolean;
  /** Providers to ask when this one has an outage or a limit: `PROVIDER`, or `PROVIDER/MODEL`. */
  readonly fallback?: readonly string[] | undefined;
  /** The dialect of the Responses API; left out to find out. */
  readonly dialect?: Dialect | undefined;
  /** Types of the hosted tools that a provider with the plain dialect has. */
  readonly hostedTools?: readonly string[] | undefined;
  /** For a provider behind a gateway at which users sign in. */
  readonly gatewayOauth?: GatewayOAuth;
  readonly tokenCommand?: TokenCommand;
  readonly aws?: AwsAccess;
}

/** Reads configuration. Files are read when asked for and again only when they changed. */
export interface ConfigSource {
  /** The folder of threads, config and logs. */
  readonly home: string;
  /** Throws a {@link ConfigError} for settings that cannot be used. */
  resolve(request: ConfigRequest): EffectiveConfig;
}

/** For whom the config is resolved. */
export interface ConfigRequest {
  readonly cwd: string;
  /** Keys as on the command line's `-c`: dotted paths to values. */
  readonly overrides?: Readonly<Record<string, unknown>> | null | undefined;
  /** The model that a client has chosen: its window counts. Default: the configured one. */
  readonly model?: string | undefined;
}
