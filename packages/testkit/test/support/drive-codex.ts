import { Connection, type NotificationMessage } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { RealCodex } from "@quire/testkit";

type Json = Record<string, unknown>;

export interface FinishedTurn {
  readonly status: string;
  readonly error: { readonly message: string; readonly codexErrorInfo: unknown } | null;
  /** What came from the turn's start to its end, `codex/event/*` of 0.98 left out. */
  readonly events: readonly NotificationMessage[];
  /** Completed items. */
  readonly items: readonly (Json & { readonly type: string })[];
  readonly deltas: readonly string[];
}

/** The smallest client that can run turns: enough to see what the real Codex makes of the mock. */
export class Driver implements AsyncDisposable {
  readonly connection: Connection;
  readonly pid: number | undefined;
  readonly #listeners = new Set<(message: NotificationMessage) => void>();
  readonly #codex: RealCodex;

  private constructor(codex: RealCodex) {
    this.#codex = codex;
    const transport = spawnTransport(codex);
    this.pid = transport.pid;
    this.connection = new Connection(transport, {
      onNotification: (message) => {
        for (const listener of [...this.#listeners]) listener(message);
      },
    });
  }

  static async start(codex: RealCodex): Promise<Driver> {
    const driver = new Driver(codex);
    await driver.connection.request("initialize", { clientInfo: { name: "testkit", title: null, version: "1" } });
    driver.connection.notify("initialized");
    return driver;
  }

  async startThread(): Promise<string> {
    const reply = (await this.connection.request("thread/start", { cwd: this.#codex.cwd })) as {
      thread: { id: string };
    };
    return reply.thread.id;
  }

  /** Waits for the next notification that fits. Call it before whatever leads to that notification. */
  next(fits: (message: NotificationMessage) => boolean): Promise<NotificationMessage> {
    return new Promise((resolve, reject) => {
      const listener = (message: NotificationMessage) => {
        if (!fits(message)) return;
        this.#listeners.delete(listener);
        resolve(message);
      };
      this.#listeners.add(listener);
      void this.connection.closed.then((error) => reject(error ?? new Error("closed")));
    });
  }

  async runTurn(threadId: string, text: string): Promise<FinishedTurn> {
    const events: NotificationMessage[] = [];
    const collect = (message: NotificationMessage) => {
      if (paramsOf(message).threadId === threadId) events.push(message);
    };
    this.#listeners.add(collect);
    const completed = this.next(
      (message) => message.method === "turn/completed" && paramsOf(message).threadId === threadId,
    );
    await this.connection.request("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] });
    const { turn } = paramsOf(await completed) as { turn: Pick<FinishedTurn, "status" | "error"> };
    this.#listeners.delete(collect);
    const of = (method: string) => events.filter((event) => event.method === method).map(paramsOf);
    return {
      status: turn.status,
      error: turn.error,
      events,
      items: of("item/completed").map((params) => params.item as FinishedTurn["items"][number]),
      deltas: of("item/agentMessage/delta").map((params) => String(params.delta)),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.connection.close();
  }
}

export function paramsOf(message: NotificationMessage): Json {
  return (message.params ?? {}) as Json;
}
