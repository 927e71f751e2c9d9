import { type Clock, Redactor } from "@quire/agent/runtime";
import type { EventListener, Logger, OrchestratorEvent } from "./events.ts";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/** Hands events to listeners, and follows them with one `changed` per task. */
export class EventBus {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #listeners = new Set<EventListener>();
  #changing = false;

  /** @param redactor Removes secrets from events. Default: there are none. */
  constructor(clock: Clock, redactor: Redactor = new Redactor([])) {
    this.#clock = clock;
    this.#redactor = redactor;
  }

  /** Subscribes to all events. Returns a function that unsubscribes. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: WithoutTime<OrchestratorEvent>): void {
    this.#notify(this.redacted({ ...event, at: this.#clock.now() } as OrchestratorEvent));
    if (event.type !== "log") this.changed();
  }

  /** Says that something changed, soon and once for all that changes meanwhile. */
  changed(): void {
    if (this.#changing) return;
    this.#changing = true;
    queueMicrotask(() => {
      this.#changing = false;
      this.#notify({ type: "changed", at: this.#clock.now() });
    });
  }

  /** A value without secrets, for what is kept or shown. */
  redacted<T>(value: T): T {
    return this.#redactor.value(value);
  }

  readonly log: Logger = (level, message, fields = {}) => this.emit({ type: "log", level, message, fields });

  #notify(event: OrchestratorEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // A listener's mistake is its own; work continues.
      }
    }
  }
}
