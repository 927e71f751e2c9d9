import type { Transport } from "@quire/jsonrpc";
import type { InitializeCapabilities } from "@quire/protocol";
import type { ReconnectOptions } from "../link/link-options.ts";
import type { Tracer } from "../port/telemetry.ts";
import type { QuestionHandlers } from "../questions/handlers.ts";
import type { ThreadDefaults } from "../thread/start-params.ts";

/** Receives log lines. `console` fits. */
export interface Logger {
  info?(message: string, details?: unknown): void;
  warn?(message: string, details?: unknown): void;
  error?(message: string, details?: unknown): void;
}

/** Options of every client. */
export interface CommonOptions extends QuestionHandlers {
  /** The client's name for the server, which passes it on to the model's provider. Default `quire`. */
  readonly clientName?: string | undefined;
  /** Its name for people. */
  readonly clientTitle?: string | undefined;
  /** Default: that of Quire. */
  readonly clientVersion?: string | undefined;
  /** Allows experimental methods and fields. Default true. */
  readonly experimentalApi?: boolean | undefined;
  /** Notifications that the server need not send, by exact method name. */
  readonly optOutNotificationMethods?: readonly string[] | undefined;
  /** Further capabilities, as the wire has them. */
  readonly capabilities?: Partial<InitializeCapabilities> | undefined;
  /** The time limit of a request. Default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** The time limit of a turn, also of a busy one. Default: none; 5 min for `new CodexClient()`. 0 is no limit. */
  readonly turnTimeoutMs?: number | undefined;
  /** The time limit of a turn without any event. Default 5 min. */
  readonly turnIdleTimeoutMs?: number | undefined;
  /** Reconnects after a lost connection. Default: true for sockets, false for a child process. */
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

/** Options of {@link CodexClient.spawn}. */
export interface SpawnOptions extends CommonOptions, ThreadDefaults {
  /** The server to start: Codex, or that of `@quire/cli`, which needs neither Codex nor a login. Default `codex`. */
  readonly server?: "codex" | "quire" | undefined;
  /**
   * Program and every argument, instead. Default `["codex", "app-server"]`. `codex` and `quire` are looked up on PATH, in
   * `node_modules` of the running program, and where installers put them.
   */
  readonly command?: readonly string[] | undefined;
  /** Variables for the child, besides those of this process; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The time that the child has to exit on close. Default 2 s. */
  readonly shutdownMs?: number | undefined;
  /** Sees the child's stderr. The last 8 KB are kept in any case. */
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
}

/** Options of {@link CodexClient.connect}. */
export interface ConnectOptions extends CommonOptions, ThreadDefaults {
  /** Sent as `Authorization: Bearer …`. Not in browsers. */
  readonly token?: string | undefined;
  /** Further request headers. Not in browsers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly connectTimeoutMs?: number | undefined;
}

/** A transport, or a function that makes one and so allows reconnecting. */
export type TransportSource = Transport | ((signal: AbortSignal) => Promise<Transport> | Transport);

/** A server to connect to: a URL, or a way to it. */
export type ServerAddress = string | TransportSource;

/** Options of `new CodexClient()`. */
export interface CodexClientOptions extends SpawnOptions {
  /** Another way to the server. */
  readonly transport?: TransportSource | undefined;
}

/** The default model of `new CodexClient()`. */
export const defaultModel: string = "gpt-5.3-codex";
export const defaultRequestTimeoutMs: number = 30_000;
/** The time limit of a turn of `new CodexClient()`. */
export const classicTurnTimeoutMs: number = 300_000;
export const defaultTurnIdleTimeoutMs: number = 300_000;
