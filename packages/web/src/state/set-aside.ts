import type { TurnModel } from "./turn-model.ts";

/** Turns of which something is kept; what is told of further ones is not. */
const turnsKept = 1000;

/** What was told of turns that are not loaded, until they are. */
export class SetAside {
  readonly #changes = new Map<string, ((turn: TurnModel) => void)[]>();

  /** Keeps a change for a turn. */
  add(turnId: string, change: (turn: TurnModel) => void): void {
    const kept = this.#changes.get(turnId);
    if (kept !== undefined) kept.push(change);
    else if (this.#changes.size < turnsKept) this.#changes.set(turnId, [change]);
  }

  /** Makes the changes of a turn that is here now. */
  apply(turn: TurnModel): void {
    const changes = this.#changes.get(turn.id) ?? [];
    this.#changes.delete(turn.id);
    for (const change of changes) change(turn);
  }
}
