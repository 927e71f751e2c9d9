import type { Transport } from "@quire/jsonrpc";
import type { InitializeCapabilities } from "@quire/protocol";
import type { ReconnectOptions } from "../link/link-options.ts";
import type { Tracer } from "../port/telemetry.ts";
import type { QuestionHandlers } from "../questions/handlers.ts";
import type { ThreadDefaults } from "../thread/start-params.ts";

/** Where log lines go. `console` fits. */
export interface Logger {
  info?(message: string, details?: unknown): void;
  warn?(message: string, details?: unknown): void;
  error?(message: string, details?: unknown): void;
}

/** What every client takes, however it reaches its server. */
export interface CommonOptions extends QuestionHandlers {
  /** How the client names itself to the server, and the server to the model. Default `quire`. */
  readonly clientName?: string | undefined;
  /** Its name for people. */
  readonly clientTitle?: string | undefined;
  /** Default `0.1.0`. */
  readonly clientVersion?: string | undefined;
  /** Whether experimental methods and fields may be used. Default true. */
  readonly experimentalApi?: boolean | undefined;
  /** Notifications that the server need not send, by exact method name. */
  readonly optOutNotificationMethods?: readonly string[] | undefined;
  /** Further capabilities, as the wire has them. */
  readonly capabilities?: Partial<InitializeCapabilities> | undefined;
  /** How long a request may wait for its reply. Default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a turn may go without any event. Default 5 min. */
  readonly turnIdleTimeoutMs?: number | undefined;
  /** Whether, and how, to come back after a loss. Default: yes for sockets, no for a child process. */
  readonly reconnect?: boolean | ReconnectOptions | undefined;
  /** Largest message accepted from the server. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Hears of warnings, of every change of state, and of the error that ends the connection. */
  readonly logger?: Logger | undefined;
  /** A file to which every message is appended. It may hold secrets. Not in browsers. */
  readonly wireLog?: string | undefined;
  /** Makes spans. Default: the provider registered with `@opentelemetry/api`, if there is one. */
  readonly tracer?: Tracer | undefined;
}

/** How to start a server of one's own. */
export interface SpawnOptions extends CommonOptions, ThreadDefaults {
  /** Program and every argument. Default `["codex", "app-server"]`, looked up on PATH. */
  readonly command?: readonly string[] | undefined;
  /** The child's whole environment. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long the child may take to leave by itself on close. Default 2 s. */
  readonly shutdownMs?: number | undefined;
  /** Sees the child's stderr. The last 8 KB are kept in any case. */
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
}

/** How to reach a server by socket. */
export interface ConnectOptions extends CommonOptions, ThreadDefaults {
  /** Sent as `Authorization: Bearer …`. Not in browsers. */
  readonly token?: string | undefined;
  /** Further request headers. Not in browsers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly connectTimeoutMs?: number | undefined;
}

/** Options of `new CodexClient()`. */
export interface CodexClientOptions extends SpawnOptions {
  /** Another way to the server: a transport, or a function that makes one and so allows reconnecting. */
  readonly transport?: Transport | ((signal: AbortSignal) => Promise<Transport> | Transport) | undefined;
}

/** What `new CodexClient()` asks threads for unless told otherwise. */
export const defaultModel: string = "gpt-5.3-codex";
export const defaultRequestTimeoutMs: number = 30_000;
export const defaultTurnIdleTimeoutMs: number = 300_000;
