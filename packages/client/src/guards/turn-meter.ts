import type { TurnEvent } from "../turn/turn-event.ts";
import type { TokenUsage } from "./token-usage.ts";
import { UsageMeter } from "./usage-meter.ts";

/** Counts the tokens of one turn from its events. */
export class TurnMeter {
  readonly #meter = new UsageMeter(false);
  #begun = false;

  /** Takes an event. Returns the usage so far if it has changed. */
  take(event: TurnEvent): TokenUsage | undefined {
    if (event.type === "item.started" || event.type === "item.completed") {
      if (event.item.type !== "userMessage") this.#begun = true;
    } else if (event.type === "agentMessage.delta") {
      this.#begun = true;
    } else if (event.type === "thread.tokenUsage.updated") {
      // Before the model has done anything, a server tells again of what the thread had used before.
      if (!this.#begun) this.#meter.setBaseline(event.tokenUsage);
      else if (this.#meter.update(event.tokenUsage)) return this.#meter.usage;
    }
    return undefined;
  }

  /** The usage so far; undefined until the server reports any. */
  get usage(): TokenUsage | undefined {
    return this.#meter.usage;
  }
}
