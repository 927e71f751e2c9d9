import { playTurn, type TurnStage } from "./play-turn.ts";
import type { TurnScript } from "./turn-script.ts";

/** A thread of the scripted server. */
export interface ScriptedThread {
  readonly id: string;
  readonly cwd: string;
  /** Set while a turn runs. */
  turn?: { readonly id: string; readonly interrupt: AbortController };
}

/** Services that threads need from the connection. */
export type Wire = Pick<TurnStage, "notify" | "ask" | "drain">;

/** The threads of one scripted server and the turns that wait to be played on them. */
export class ScriptedThreads {
  readonly #wire: Wire;
  readonly #threads = new Map<string, ScriptedThread>();
  readonly #scripts: TurnScript[] = [];
  #ids = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get(id: string): ScriptedThread | undefined {
    return this.#threads.get(id);
  }

  add(cwd: string, id: string = this.#uuid()): ScriptedThread {
    const thread = { id, cwd };
    this.#threads.set(id, thread);
    return thread;
  }

  enqueue(scripts: readonly TurnScript[]): void {
    this.#scripts.push(...scripts);
  }

  /**
   * Takes the next script for a turn, to begin once the client has its id. While a turn runs, that one continues: the
   * real server takes a second `turn/start` as steering.
   */
  nextTurn(thread: ScriptedThread, input: unknown): { readonly id: string; readonly begin: () => void } {
    if (thread.turn) return { id: thread.turn.id, begin: () => undefined };
    const script = this.#scripts.shift() ?? { text: "ok" };
    const id = this.#claim(thread);
    return { id, begin: () => void this.#play(thread, input, script) };
  }

  /** Plays a turn at once. */
  play(thread: ScriptedThread, input: unknown, script: TurnScript): Promise<void> {
    this.#claim(thread);
    return this.#play(thread, input, script);
  }

  /** The client is gone. */
  interruptAll(): void {
    for (const { turn } of this.#threads.values()) turn?.interrupt.abort();
  }

  #claim(thread: ScriptedThread): string {
    const id = this.#uuid();
    thread.turn = { id, interrupt: new AbortController() };
    return id;
  }

  async #play(thread: ScriptedThread, input: unknown, script: TurnScript): Promise<void> {
    const { turn } = thread;
    if (!turn) return;
    const stage: TurnStage = {
      ...this.#wire,
      threadId: thread.id,
      turnId: turn.id,
      cwd: thread.cwd,
      input,
      signal: turn.interrupt.signal,
      nextId: (prefix) => `${prefix}_${++this.#ids}`,
      notify: (method, params) => {
        // Before the client can know that the turn is over, so that its next turn/start is no steering.
        if (method === "turn/completed") delete thread.turn;
        this.#wire.notify(method, params);
      },
    };
    await playTurn(stage, script);
  }

  /** A UUID, as the real server's ids are, but the same in every run. */
  #uuid(): string {
    return `00000000-0000-7000-8000-${(++this.#ids).toString(16).padStart(12, "0")}`;
  }
}
