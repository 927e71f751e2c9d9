import type { OrchestratorControl } from "../events/control.ts";
import type { BoardView } from "./board-feed.ts";
import { content } from "./responses.ts";
import { stateToWire } from "./wire.ts";

/** Least time between two states that one reader gets, in milliseconds. */
const pauseMs = 200;

/** Time between two signs of life, in milliseconds: proxies close what is silent for long. */
const aliveMs = 15_000;

/** Options of one reader's stream. */
export interface StreamOptions {
  readonly request: Request;
  /** Aborted when the server stops. */
  readonly ended: AbortSignal;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
  /** Sends changes of the board in place of the whole state. */
  readonly view?: BoardView | undefined;
}

/**
 * The state as server-sent events: once at the beginning, then whenever it changed, at most every {@link pauseMs}. A
 * reader that is slow gets fewer of them, and nothing is kept for it: each state stands for itself.
 */
export function stateStream(control: OrchestratorControl, { request, ended, onEnd, view }: StreamOptions): Response {
  const feed = new StateFeed(control, onEnd, view);
  const stop = AbortSignal.any([request.signal, ended]);
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      feed.begin(controller);
      if (stop.aborted) feed.close();
      else stop.addEventListener("abort", () => feed.close(), { once: true });
    },
    cancel: () => feed.release(),
  };
  return content("text/event-stream; charset=utf-8", new ReadableStream<Uint8Array>(source, { highWaterMark: 3 }));
}

/** The event stream of one reader. It owns its timers and its subscription, and disposes of them once. */
class StateFeed {
  readonly #control: OrchestratorControl;
  readonly #onEnd: () => void;
  readonly #view: BoardView | undefined;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #unsubscribe: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #alive: ReturnType<typeof setInterval> | undefined;
  #changed = false;
  #released = false;

  constructor(control: OrchestratorControl, onEnd: () => void, view: BoardView | undefined) {
    this.#control = control;
    this.#view = view;
    this.#onEnd = onEnd;
  }

  begin(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    this.#unsubscribe = this.#control.subscribe((event) => {
      if (event.type !== "changed") return;
      this.#changed = true;
      this.#timer ??= setTimeout(() => this.#send(), 0);
    });
    this.#alive = setInterval(() => this.#write(": alive\n\n"), aliveMs);
    this.#write(`retry: 1000\n\n${this.#event()}`);
    this.#timer = setTimeout(() => this.#send(), pauseMs);
  }

  close(): void {
    if (this.#released) return;
    this.release();
    this.#controller?.close();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    clearInterval(this.#alive);
    this.#onEnd();
  }

  #send(): void {
    this.#timer = undefined;
    if (!this.#changed || this.#released) return;
    const began = performance.now();
    // Of one who has not read the last ones yet, the change is remembered and looked at again after the pause.
    if (this.#write(() => this.#event())) this.#changed = false;
    // A reader of very much takes a tenth of the time at most.
    this.#timer = setTimeout(() => this.#send(), Math.max(pauseMs, 10 * (performance.now() - began)));
  }

  #event(): string {
    return this.#view ? boardEvent(this.#control, this.#view) : stateEvent(this.#control);
  }

  #write(text: string | (() => string)): boolean {
    if ((this.#controller?.desiredSize ?? 0) <= 0) return false;
    const event = typeof text === "string" ? text : text();
    if (event !== "") this.#controller?.enqueue(this.#encoder.encode(event));
    return true;
  }
}

function boardEvent(control: OrchestratorControl, view: BoardView): string {
  try {
    return view.next(control) ?? "";
  } catch (error) {
    return unavailableEvent(error);
  }
}

/** JSON holds no line break, so one line of data is enough. */
function stateEvent(control: OrchestratorControl): string {
  try {
    return `event: state\ndata: ${JSON.stringify(stateToWire(control.snapshot()))}\n\n`;
  } catch (error) {
    return unavailableEvent(error);
  }
}

function unavailableEvent(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `event: unavailable\ndata: ${JSON.stringify({ error: { code: "unavailable", message } })}\n\n`;
}
