import { normalState } from "../tracker/issue.ts";
import type { AgentConfig } from "../workflow/config.ts";

/** Counts what runs, for the limits. */
export class Slots {
  readonly #config: AgentConfig;
  readonly #byState = new Map<string, number>();
  #free: number;

  /** @param runningStates The states of the issues that are worked on now. */
  constructor(config: AgentConfig, runningStates: Iterable<string>) {
    this.#config = config;
    this.#free = config.maxConcurrentAgents;
    for (const state of runningStates) this.#count(state);
    this.#free = Math.max(0, this.#free);
  }

  /** True if nothing more may run, in whatever state. */
  get isFull(): boolean {
    return this.#free <= 0;
  }

  /** Takes a slot for an issue in this state; false where there is none. */
  take(state: string): boolean {
    if (this.isFull) return false;
    const limit = this.#config.maxConcurrentAgentsByState[normalState(state)];
    if (limit !== undefined && (this.#byState.get(normalState(state)) ?? 0) >= limit) return false;
    this.#count(state);
    return true;
  }

  #count(state: string): void {
    const key = normalState(state);
    this.#byState.set(key, (this.#byState.get(key) ?? 0) + 1);
    this.#free--;
  }
}
