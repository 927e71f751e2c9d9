import type { ThreadActiveFlag } from "@quire/protocol";

/** What an active thread waits for; the same may be waited for several times at once. */
export class Waits {
  readonly #held: ThreadActiveFlag[] = [];
  readonly #changed: () => void;

  /** @param changed Called when {@link Waits.flags} are others than before. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Each once. */
  get flags(): ThreadActiveFlag[] {
    return [...new Set(this.#held)];
  }

  /** Waits until the returned function is called. The end is not told once the signal has aborted: the turn's end says more. */
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
