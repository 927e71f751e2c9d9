import type { ServerWebSocket } from "bun";
import type { PagePort } from "../hub/hub-options.ts";

/** Data that Bun keeps with a page's socket. */
export interface PageSocketData {
  page: Page | undefined;
  /** The device that it is on; undefined for one that shows the token itself. */
  readonly device: string | undefined;
}

/** Codes with which the gateway ends a page's socket. */
export const PageClose = {
  goingAway: 1001,
  /** A frame that is none of the page protocol. */
  badFrame: 4400,
  /** Its device was signed out. */
  signedOut: 4401,
  /** The page does not read what it is sent; it reloads its state when it is back. */
  tooSlow: 4408,
} as const;

/** Bound on unread frames that the page did not ask for. */
const maxUnsentBytes = 16 * 1024 * 1024;
/** The same with the replies to its own requests, which may be as large as a server's largest message. */
const maxUnsentWithReplies = 256 * 1024 * 1024;
/** Time for a socket to close before it is cut. */
const closeMs = 2000;

/**
 * An open page. Nobody waits for a page that reads slowly: beyond a bound it is cut off, reconnects by itself, and
 * rebuilds its state from the servers.
 */
export class Page implements PagePort {
  pending = 0;
  readonly #socket: ServerWebSocket<PageSocketData>;
  readonly #maxUnsent: number;
  /** Size of the replies among what is unsent; counted until all has been read. */
  #repliesUnsent = 0;
  #open = true;
  #cutTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: ServerWebSocket<PageSocketData>, maxUnsent: number = maxUnsentBytes) {
    this.#socket = socket;
    this.#maxUnsent = maxUnsent;
  }

  get open(): boolean {
    return this.#open;
  }

  push(frame: string): void {
    this.#send(frame);
  }

  reply(frame: string): void {
    this.#send(frame);
    if (this.#socket.getBufferedAmount() > 0) this.#repliesUnsent += Buffer.byteLength(frame);
  }

  /** Ends the socket. One that does not answer the close is cut. */
  close(code: number, reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#socket.close(code, reason);
    this.#cutTimer = setTimeout(() => this.#socket.terminate(), closeMs);
  }

  /** Takes note that the socket is closed. */
  closed(): void {
    this.#open = false;
    clearTimeout(this.#cutTimer);
  }

  #send(frame: string): void {
    if (!this.#open) return;
    const unsent = this.#socket.getBufferedAmount();
    if (unsent === 0) this.#repliesUnsent = 0;
    if (unsent - this.#repliesUnsent > this.#maxUnsent || unsent > maxUnsentWithReplies) {
      this.close(PageClose.tooSlow, "the page does not read what it is sent");
      return;
    }
    this.#socket.sendText(frame);
  }
}
