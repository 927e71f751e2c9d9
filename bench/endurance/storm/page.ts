import type { Gateway } from "@quire/gateway";
import type { HubInfo, ToPage } from "@quire/protocol/gateway";

interface Message {
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: { readonly threadId?: string; readonly turn?: { readonly id: string; readonly status: string } };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The end of a turn, as a page was told of it. */
export interface EndedTurn {
  readonly hub: string;
  readonly threadId: string;
  readonly turnId: string;
  readonly status: string;
}

/** A page without a browser. Whoever opens it leaves it. */
export class StormPage {
  readonly #socket: WebSocket;
  readonly #hubs = new Map<string, HubInfo>();
  readonly #replies = new Map<number, (message: Message) => void>();
  readonly #listeners = new Set<() => void>();
  readonly #ended: (turn: EndedTurn) => void;
  readonly #endedTurns = new Set<string>();
  #closed = false;
  #ids = 0;

  private constructor(socket: WebSocket, ended: (turn: EndedTurn) => void) {
    this.#socket = socket;
    this.#ended = ended;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)) as ToPage);
    socket.onclose = () => {
      this.#closed = true;
      this.#changed();
    };
  }

  /** Opens one, and waits until it is let in. */
  static async open({ origin, token }: Gateway, ended: (turn: EndedTurn) => void): Promise<StormPage> {
    const headers = { authorization: `Bearer ${token}` };
    const page = new StormPage(new WebSocket(`${origin.replace("http", "ws")}/socket`, { headers }), ended);
    await page.#until(() => page.#hubs.size > 0);
    return page;
  }

  get hubs(): HubInfo[] {
    return [...this.#hubs.values()];
  }

  /** Requests without a reply. */
  get unanswered(): number {
    return this.#replies.size;
  }

  /** Waits until a hub is ready. False when the page is closed instead. */
  ready(hub: string): Promise<boolean> {
    return this.#until(() => this.#hubs.get(hub)?.state === "ready");
  }

  /** The result of a request; `undefined` when it failed, as it does when its hub is lost. */
  async request(hub: string, method: string, params: object): Promise<unknown> {
    const id = this.#ids++;
    const replied = new Promise<Message>((resolve) => this.#replies.set(id, resolve));
    this.#socket.send(JSON.stringify({ type: "rpc", hub, message: { id, method, params } }));
    return (await replied).result;
  }

  /** Waits for the end of a turn, or the loss of its hub. */
  async turnOver(hub: string, turnId: string): Promise<void> {
    const epoch = this.#hubs.get(hub)?.epoch;
    const isLost = () => this.#hubs.get(hub)?.state !== "ready" || this.#hubs.get(hub)?.epoch !== epoch;
    await this.#until(() => this.#endedTurns.has(turnId) || isLost());
  }

  /** Leaves in an orderly way, or without a word. */
  leave(how: "close" | "terminate"): void {
    this.#socket[how]();
  }

  #receive(frame: ToPage): void {
    if (frame.type === "welcome") for (const hub of frame.hubs) this.#hubs.set(hub.id, hub);
    if (frame.type === "hub") this.#hubs.set(frame.hub.id, frame.hub);
    if (frame.type === "rpc") this.#heard(frame.hub, frame.message as Message);
    this.#changed();
  }

  #heard(hub: string, message: Message): void {
    if (message.method === "turn/completed") {
      const { threadId = "", turn } = message.params ?? {};
      this.#endedTurns.add(turn?.id ?? "");
      this.#ended({ hub, threadId, turnId: turn?.id ?? "", status: turn?.status ?? "" });
    }
    if (typeof message.id !== "number" || message.method !== undefined) return;
    this.#replies.get(message.id)?.(message);
    this.#replies.delete(message.id);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #until(isSo: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo() && !this.#closed) return;
        this.#listeners.delete(look);
        resolve(isSo());
      };
      this.#listeners.add(look);
      look();
    });
  }
}
