import type { NotificationMessage } from "@quire/jsonrpc";
import type { FileUpdateChange, Thread, ThreadStatus } from "@quire/protocol";
import type { Tool } from "../tools/tool.ts";
import { TurnLog } from "../turn/turn-log.ts";

/** Params of a notification, as far as routing looks at them. */
export interface RoutedParams {
  readonly threadId?: string;
  readonly turnId?: string;
  readonly turn?: { readonly id?: string };
}

/** A server that ends more turns than that while one is being started makes no sense. */
const maxAfterStart = 16;

/** The client's state of one thread. */
export class ThreadState {
  readonly id: string;
  /** The server's latest data of it. */
  data: Thread | undefined;
  status: ThreadStatus | undefined;
  /** True when this client wants its events, and so resubscribes after a reconnect. */
  live = false;
  /** Server requests that wait for an answer of this side. */
  asked = 0;
  /** Tools that this program serves on the thread. */
  tools: readonly Tool[] = [];
  /** Changes of the file change items that have begun: a request for approval names the item only. */
  readonly fileChanges: Map<string, readonly FileUpdateChange[]> = new Map();
  /** Command lines of the commands that run: what is typed into one names the item only. */
  readonly commands: Map<string, string> = new Map();
  /** Threads of its sub-agents, in the order in which they appeared. */
  readonly children: Set<string> = new Set();
  readonly listeners: Set<(message: NotificationMessage) => void> = new Set();
  readonly #turns = new Map<string, TurnLog>();
  readonly #claimed = new Set<TurnLog>();
  /** The turn of the last event, as long as its events are wanted. */
  latest: TurnLog | undefined;
  #starting = 0;
  /** Notifications that arrived while a turn was being started; they can be assigned only when its id is known. */
  readonly #afterStart: (() => void)[] = [];
  #lost: Error | undefined;
  /** The end of the turn that was asked for last; undefined before the first. Never rejects. */
  #lastEnd: Promise<void> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Turns that somebody here waits for. */
  get running(): readonly TurnLog[] {
    return [...this.#claimed];
  }

  /** Those, and while none is known by its name yet, those that show up while one is being started. */
  get open(): readonly TurnLog[] {
    return this.#claimed.size > 0 ? this.running : [...this.#turns.values()].filter((log) => !log.ended);
  }

  /** Has something done when the turn that is being started is known; says whether one is. */
  afterStart(run: () => void): boolean {
    if (this.#starting === 0 || this.#afterStart.length >= maxAfterStart) return false;
    this.#afterStart.push(run);
    return true;
  }

  /**
   * Runs one turn after the other: a server has one at a time on a thread, and would take what is said to a busy one as
   * meant for the turn that runs.
   */
  inTurn(start: () => Promise<TurnLog>): Promise<TurnLog> {
    const log = this.#lastEnd ? this.#lastEnd.then(start) : start();
    const end = log.then(
      (turn) => turn.end(),
      () => undefined,
    );
    this.#lastEnd = end;
    void end.then(() => {
      if (this.#lastEnd === end) this.#lastEnd = undefined;
    });
    return log;
  }

  /**
   * Starts a turn and takes its log. Events may come before the reply that names the turn, even all of them: while a
   * start is under way, a log is kept for every turn that shows up, and the one named is handed out.
   */
  async claim(start: () => Promise<string>): Promise<TurnLog> {
    this.#starting++;
    try {
      const log = this.#logOf(await start());
      // The connection may have ended right behind the reply.
      if (this.#lost) log.fail(this.#lost);
      if (!log.ended) this.#claimed.add(log);
      return log;
    } finally {
      this.#starting--;
      this.#sweep();
      for (const run of this.#afterStart.splice(0)) run();
    }
  }

  /** Routes a notification to its turn and to the thread's listeners. */
  receive(message: NotificationMessage, params: RoutedParams): void {
    const turnId = params.turnId ?? params.turn?.id;
    if (typeof turnId === "string") {
      const log = this.#turns.get(turnId) ?? (this.#starting > 0 ? this.#logOf(turnId) : undefined);
      this.latest = log;
      if (log) this.deliver(log, message);
    }
    if (this.listeners.size > 0) for (const listener of this.listeners) listener(message);
  }

  /** Hands one event to a turn, and releases the turn when that was its last. */
  deliver(log: TurnLog, message: NotificationMessage): void {
    log.push(message);
    if (log.ended) this.#release(log);
  }

  /** Ends a turn whose events will not come any more. */
  fail(log: TurnLog, error: unknown): void {
    log.fail(error);
    this.#release(log);
  }

  /** Ends every turn that somebody waits for, and those that are being started: there is no connection any more. */
  lose(error: Error): void {
    this.#lost = error;
    for (const log of this.#claimed) this.fail(log, error);
  }

  #release(log: TurnLog): void {
    this.#claimed.delete(log);
    this.#sweep();
  }

  #logOf(turnId: string): TurnLog {
    let log = this.#turns.get(turnId);
    if (!log) {
      log = new TurnLog(this.id, turnId);
      this.#turns.set(turnId, log);
    }
    return log;
  }

  #sweep(): void {
    if (this.#starting > 0) return;
    this.latest = undefined;
    for (const [id, log] of this.#turns) if (!this.#claimed.has(log)) this.#turns.delete(id);
  }
}
