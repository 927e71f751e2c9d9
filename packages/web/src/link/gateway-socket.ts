import { backoffMs } from "@quire/client/link";
import type { ToGateway, ToPage } from "@quire/protocol/gateway";

/** Ceilings of the first and of every pause between tries. The gateway is on this machine, so they are short. */
const firstPauseMs = 250;
const longestPauseMs = 8000;

interface GatewaySocketEvents {
  message(message: ToPage): void;
  /** Also called before the first try. */
  connecting(): void;
  opened(): void;
  /** The link is gone; the next try is made at `nextTryAtMs`. */
  lost(nextTryAtMs: number): void;
  /** The gateway refuses this browser: no further tries are made. */
  refused(): void;
}

/** Options of a socket. */
export interface GatewaySocketOptions {
  readonly open: () => WebSocket;
  /** Asked after a try that failed at once, because a browser does not say why. */
  readonly isSignedIn: () => Promise<boolean>;
  readonly events: GatewaySocketEvents;
}

/**
 * The page's one link to the gateway. It comes back by itself until it is closed or refused.
 * Messages sent while it is down are dropped; `lost` reports that it is.
 */
export class GatewaySocket {
  readonly #options: GatewaySocketOptions;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(options: GatewaySocketOptions) {
    this.#options = options;
  }

  /** Makes a try now, also when the next one was planned for later. */
  connect(): void {
    if (this.#ended || this.#socket !== null) return;
    clearTimeout(this.#timer);
    this.#options.events.connecting();
    const socket = this.#options.open();
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#attempt = 0;
      this.#options.events.opened();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#options.events.message(JSON.parse(data) as ToPage);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (!this.#ended) this.#lost(opened);
    };
  }

  /** Sends a message; false while the link is down. */
  send(message: ToGateway): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = null;
  }

  #lost(wasOpen: boolean): void {
    const pause = backoffMs(this.#attempt++, firstPauseMs, longestPauseMs);
    this.#options.events.lost(Date.now() + pause);
    this.#timer = setTimeout(() => this.connect(), pause);
    if (wasOpen) return;
    void this.#options.isSignedIn().then((known) => {
      if (known || this.#ended) return;
      this.close();
      this.#options.events.refused();
    });
  }
}
