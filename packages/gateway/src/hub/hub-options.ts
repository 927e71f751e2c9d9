import type { Transport } from "@quire/jsonrpc";
import type { HubInfo } from "@quire/protocol/gateway";
import type { OpenQuestion } from "./open-question.ts";

/** Options for reconnecting to a server. */
export interface ReconnectOptions {
  /** Tries before giving up. Default 10. */
  readonly attempts?: number | undefined;
  /** The first wait; it doubles with each try. Default 1 s. */
  readonly baseMs?: number | undefined;
  /** The longest wait. Default 30 s. */
  readonly maxMs?: number | undefined;
}

/** Options of a hub. */
export interface HubOptions {
  readonly id: string;
  readonly kind: HubInfo["kind"];
  /** Name for people. A spawned server is named by its program and version once these are known. */
  readonly name: string;
  readonly address: string | null;
  /** Makes a way to the server, as often as it is needed. */
  dial(signal: AbortSignal): Promise<Transport> | Transport;
  /** Undefined means no reconnect. */
  readonly reconnect: ReconnectOptions | undefined;
  /** Time for the server to answer `initialize`. Default 30 s. */
  readonly handshakeMs?: number | undefined;
  /** Time for which threads that no page has open stay subscribed. Default 60 s. */
  readonly lingerMs?: number | undefined;
}

/** A page as a hub sees it. */
export interface PagePort {
  /** Requests of this page that wait for their reply, over all hubs. */
  pending: number;
  readonly open: boolean;
  /** Sends a frame that the page did not ask for. */
  push(frame: string): void;
  /** Sends a frame that the page asked for: its size is the page's own doing. */
  reply(frame: string): void;
}

/** The gateway, as a hub sees it. */
export interface HubHost {
  /** Sends a frame to every page but `except`. */
  broadcast(frame: string, except?: PagePort): void;
  changed(hub: { readonly info: HubInfo }): void;
  /** Something is asked that waits for a person. */
  asked(question: OpenQuestion): void;
  /** A turn has ended; `params` are those of `turn/completed`. */
  turnEnded(params: unknown): void;
}
