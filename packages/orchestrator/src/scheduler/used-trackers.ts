import type { Tracker } from "../tracker/tracker.ts";

/** The tracker in use, and those of earlier workflows, which go when the last run that uses them has. */
export class UsedTrackers {
  #current: Tracker;
  #retired: Tracker[] = [];

  constructor(current: Tracker) {
    this.#current = current;
  }

  /** Takes a tracker in place of the last one; says whether it is another. */
  use(tracker: Tracker): boolean {
    if (tracker === this.#current) return false;
    this.#retired.push(this.#current);
    this.#current = tracker;
    return true;
  }

  /** Closes earlier ones that nothing uses. */
  async closeUnused(used: ReadonlySet<Tracker>): Promise<void> {
    const unused = this.#retired.filter((tracker) => !used.has(tracker));
    this.#retired = this.#retired.filter((tracker) => used.has(tracker));
    await closeAll(unused);
  }

  async close(): Promise<void> {
    await closeAll([...this.#retired, this.#current]);
  }
}

async function closeAll(trackers: readonly Tracker[]): Promise<void> {
  await Promise.all(trackers.map((tracker) => tracker.close?.().catch(() => undefined)));
}
