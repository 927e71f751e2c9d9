import type { Clock } from "@quire/agent";
import type { EventListener, Logger, OrchestratorEvent } from "./events.ts";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/** Hands events to whoever listens, and follows them with one `changed` per task. */
export class EventBus {
  readonly #clock: Clock;
  readonly #listeners = new Set<EventListener>();
  #changing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Hears all events from now on; gives the way to stop. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: WithoutTime<OrchestratorEvent>): void {
    this.#tell({ ...event, at: this.#clock.now() } as OrchestratorEvent);
    if (event.type !== "log") this.changed();
  }

  /** Says that something changed, soon and once for all that changes meanwhile. */
  changed(): void {
    if (this.#changing) return;
    this.#changing = true;
    queueMicrotask(() => {
      this.#changing = false;
      this.#tell({ type: "changed", at: this.#clock.now() });
    });
  }

  readonly log: Logger = (level, message, fields = {}) => this.emit({ type: "log", level, message, fields });

  #tell(event: OrchestratorEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // A listener's mistake is its own; work goes on.
      }
    }
  }
}
