import { homedir } from "node:os";
import { quireVersion } from "@quire/protocol";
import type { ToGateway, ToPage } from "@quire/protocol/gateway";
import type { ServerWebSocket, WebSocketHandler } from "bun";
import { errorFrame, frame } from "../hub/frames.ts";
import type { PagePort } from "../hub/hub-options.ts";
import type { HubSet } from "../hub/hub-set.ts";
import { Page, PageClose, type PageSocketData } from "./page.ts";
import { readFrame } from "./read-frame.ts";

/** Options of all pages. */
export interface PageSetOptions {
  readonly hubs: HubSet;
  /** Folder that pages offer for a new thread. */
  readonly cwd: string;
  readonly orchestrator: string | null;
  /** Bound on a page's unread data, beyond which it is cut off. Default 16 MiB. */
  readonly maxUnsentBytes?: number | undefined;
}

/** The largest frame of a page: a message with a few images in it. */
const maxFrameBytes = 32 * 1024 * 1024;

/** All open pages. */
export class PageSet {
  readonly #options: PageSetOptions;
  readonly #pages = new Set<Page>();
  readonly #sockets = new Set<ServerWebSocket<PageSocketData>>();

  constructor(options: PageSetOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pages.size;
  }

  broadcast(text: string, except?: PagePort): void {
    for (const page of this.#pages) if (page !== except) page.push(text);
  }

  close(): void {
    for (const page of this.#pages) page.close(PageClose.goingAway, "quire was stopped");
  }

  /** Ends the pages of a device that was signed out. */
  closeDevice(device: string): void {
    for (const socket of this.#sockets) {
      if (socket.data.device === device) socket.data.page?.close(PageClose.signedOut, "this device was signed out");
    }
  }

  get handler(): WebSocketHandler<PageSocketData> {
    return {
      maxPayloadLength: maxFrameBytes,
      // The page itself keeps the bound.
      backpressureLimit: 512 * 1024 * 1024,
      perMessageDeflate: false,
      // A page that has silently gone, such as on a machine that sleeps, is noticed.
      idleTimeout: 120,
      sendPings: true,
      open: (socket) => this.#opened(socket),
      message: (socket, data) => this.#received(socket.data.page, data),
      close: (socket) => {
        this.#sockets.delete(socket);
        this.#closed(socket.data.page);
      },
    };
  }

  #opened(socket: ServerWebSocket<PageSocketData>): void {
    const { hubs, cwd, orchestrator, maxUnsentBytes } = this.#options;
    const page = new Page(socket, maxUnsentBytes);
    socket.data.page = page;
    this.#pages.add(page);
    this.#sockets.add(socket);
    const welcome: ToPage = {
      type: "welcome",
      version: quireVersion,
      cwd,
      home: homedir(),
      hubs: hubs.infos,
      orchestrator,
    };
    page.reply(frame(welcome));
    hubs.replay(page);
  }

  #closed(page: Page | undefined): void {
    if (!page) return;
    page.closed();
    this.#pages.delete(page);
    this.#options.hubs.leave(page);
  }

  #received(page: Page | undefined, data: string | Uint8Array): void {
    if (!page?.open) return;
    const content = readFrame(data);
    if (!content) {
      page.close(PageClose.badFrame, "a frame that is none of this protocol");
      return;
    }
    if (content.type === "rpc") this.#call(page, content);
    else void this.#order(page, content);
  }

  #call(page: Page, { hub: id, message }: Extract<ToGateway, { type: "rpc" }>): void {
    const hub = this.#options.hubs.get(id);
    if (hub) {
      hub.receive(page, message);
      return;
    }
    const { id: request, method } = (message ?? {}) as { id?: unknown; method?: unknown };
    if (typeof method !== "string" || (typeof request !== "number" && typeof request !== "string")) return;
    page.reply(errorFrame(id, request, { code: -32000, message: "There is no such server any more" }));
  }

  async #order(page: Page, order: Exclude<ToGateway, { type: "rpc" }>): Promise<void> {
    const { hubs } = this.#options;
    try {
      if (order.type === "addHub") hubs.addAddress(order.address);
      else if (order.type === "removeHub") await hubs.remove(order.id);
      else hubs.get(order.id)?.reconnect();
    } catch (error) {
      if (order.type === "reconnectHub") return;
      page.reply(frame({ type: "failed", request: order.type, message: (error as Error).message }));
    }
  }
}
