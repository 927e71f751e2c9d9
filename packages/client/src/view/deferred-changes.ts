import type { TurnModel } from "./turn-model.ts";

/** Bound on the turns with deferred changes; changes to further ones are dropped. */
const turnsKept = 1000;

/** Changes to turns that are not loaded yet. */
export class DeferredChanges {
  readonly #changes = new Map<string, ((turn: TurnModel) => void)[]>();

  add(turnId: string, change: (turn: TurnModel) => void): void {
    const kept = this.#changes.get(turnId);
    if (kept !== undefined) kept.push(change);
    else if (this.#changes.size < turnsKept) this.#changes.set(turnId, [change]);
  }

  /** Applies the changes to a turn that was just added, and forgets them. */
  apply(turn: TurnModel): void {
    const changes = this.#changes.get(turn.id) ?? [];
    this.#changes.delete(turn.id);
    for (const change of changes) change(turn);
  }
}
