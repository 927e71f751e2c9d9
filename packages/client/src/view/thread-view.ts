import { foldNotification } from "./fold-notification.ts";
import type { HistoryPage, ThreadSnapshot } from "./snapshot.ts";
import { mergeNewest, prependOlder } from "./thread-history.ts";
import { ThreadModel } from "./thread-model.ts";
import type { SettingsReport } from "./thread-settings.ts";

/** Options of a {@link ThreadView}. */
export interface ThreadViewOptions {
  /** Folder of the thread, until the server reports it. */
  readonly cwd?: string | undefined;
  /**
   * Runs the listeners after a change: at most once until they have run. Default `queueMicrotask`; a user interface
   * passes `requestAnimationFrame`, so that a stream of deltas costs one redraw per frame.
   */
  readonly schedule?: ((run: () => void) => void) | undefined;
}

/**
 * The content of one thread as a user interface shows it, kept up to date by notifications and merged with stored
 * history. It does no I/O: {@link LiveThread} adds the server.
 *
 * A notification costs what it carries; {@link snapshot} costs what changed since the last one.
 */
export class ThreadView {
  readonly #model: ThreadModel;
  readonly #schedule: (run: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #scheduled = false;

  constructor({ cwd = "", schedule = queueMicrotask }: ThreadViewOptions = {}) {
    this.#model = new ThreadModel(cwd, () => this.changed());
    this.#schedule = schedule;
  }

  /** Calls the listener after changes; the returned function stops that. Suits React's `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The content as of now; the same object until something changed. */
  snapshot(): ThreadSnapshot {
    return this.#model.content();
  }

  /** Folds a notification of this thread into the content; false for one that does not concern the content. */
  applyNotification(method: string, params: unknown): boolean {
    return foldNotification(this.#model, method, params);
  }

  /**
   * Merges the newest stored turns. Turns that were followed live from their beginning stay as they are; older turns
   * stay where the page joins on to them, and are dropped where turns may be missing in between.
   */
  mergeHistory(newest: HistoryPage): void {
    mergeNewest(this.#model, newest);
  }

  /** Adds a page of turns that are older than all that are here. */
  prependHistory(older: HistoryPage): void {
    prependOlder(this.#model, older);
  }

  /** Drops all turns, as before merging a history that was cut. */
  clear(): void {
    this.#model.arrange([]);
    this.#model.olderCursor = null;
  }

  /** Marks unfinished turns as incomplete, as after a lost connection: the next merge takes their stored form. */
  missedEvents(): void {
    this.#model.missedEvents();
  }

  /** Updates the settings; those left out stay. */
  updateSettings(report: SettingsReport): void {
    this.#model.setSettings(report);
  }

  /** Id of the turn in progress. */
  get activeTurn(): string | null {
    return this.#model.activeTurn?.id ?? null;
  }

  /** Key of the last item of a turn; null for a turn without items. */
  lastItem(turnId: string): string | null {
    return this.#model.turns.find(({ id }) => id === turnId)?.lastItem ?? null;
  }

  /** Schedules the listeners. */
  protected changed(): void {
    if (this.#scheduled || this.#listeners.size === 0) return;
    this.#scheduled = true;
    this.#schedule(() => {
      this.#scheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
