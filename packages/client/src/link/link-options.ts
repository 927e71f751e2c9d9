import type { NotificationMessage, RequestContext, Transport } from "@quire/jsonrpc";
import type { InitializeParams } from "@quire/protocol";
import type { Telemetry } from "../port/telemetry.ts";
import type { DeltaSink } from "./delta-reader.ts";

/** The state of a client's connection to its server. */
export type ClientState = "connecting" | "ready" | "reconnecting" | "closed";

/** Options of reconnecting. */
export interface ReconnectOptions {
  /** The number of tries before giving up. Default 10. */
  readonly attempts?: number | undefined;
  /** Ceiling of the first wait. Default 200 ms; it doubles with each try. */
  readonly baseMs?: number | undefined;
  /** Ceiling of every wait. Default 5 s. */
  readonly maxMs?: number | undefined;
}

/** Options of a link. */
export interface LinkOptions {
  /** Makes a new transport; called again for each reconnect. */
  dial(signal: AbortSignal): Promise<Transport> | Transport;
  readonly initialize: InitializeParams;
  /** Undefined means that a lost connection is the end. */
  readonly reconnect: ReconnectOptions | undefined;
  readonly requestTimeoutMs: number;
  readonly telemetry: Telemetry;
}

/** Callbacks of a link. */
export interface LinkEvents {
  /** A notification, in order. Called as a bare function. */
  readonly notification: (message: NotificationMessage) => void;
  /** Takes pieces of an agent's message that nobody needs as notifications. */
  readonly deltas: DeltaSink;
  /** A request of the server; what it returns is the reply. */
  request(method: string, params: unknown, context: RequestContext): unknown;
  /** The state has changed. */
  state(state: ClientState): void;
  /** The connection is back and initialized, and nothing else has been sent on it yet. */
  restored(): Promise<void>;
  /** The connection was lost and may come back. */
  lost(error: Error): void;
  /** The end, once. */
  ended(error: Error | undefined): void;
  /** A line that is no message. */
  malformed(text: string): void;
}
