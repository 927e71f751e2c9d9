import type { ThreadActiveFlag } from "@quire/protocol";

/** The waiting flags of an active thread, each possibly held several times. */
export class WaitingFlags {
  readonly #held: ThreadActiveFlag[] = [];
  readonly #changed: () => void;

  /** @param changed Called when {@link WaitingFlags.flags} change. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get flags(): ThreadActiveFlag[] {
    return [...new Set(this.#held)];
  }

  /** Holds a flag until the returned function is called. After an abort its end is silent: the turn's end says more. */
  hold(flag: ThreadActiveFlag, signal: AbortSignal): () => void {
    const isNew = !this.#held.includes(flag);
    this.#held.push(flag);
    if (isNew) this.#changed();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#held.splice(this.#held.indexOf(flag), 1);
      if (!this.#held.includes(flag) && !signal.aborted) this.#changed();
    };
  }
}
