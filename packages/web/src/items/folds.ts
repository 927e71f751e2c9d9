import { createContext, useCallback, useContext, useState } from "react";

/**
 * Parts of a thread that the user opened or closed, by key. Kept outside of the list because rows that scroll out of
 * sight are unmounted. Bounded by what a user can click.
 */
export class FoldStore {
  readonly #states = new Map<string, boolean>();
  readonly #onChoose: () => void;

  /** `onChoose` is called before a part opens or closes by the user's hand. */
  constructor(onChoose: () => void = () => undefined) {
    this.#onChoose = onChoose;
  }

  /** The user's choice for a part; undefined before there is one. */
  get(key: string): boolean | undefined {
    return this.#states.get(key);
  }

  set(key: string, open: boolean): void {
    this.#states.set(key, open);
    this.#onChoose();
  }
}

/** The choices of the thread around a component. */
export const FoldContext = createContext<FoldStore>(new FoldStore());

/** The state of a part, and a function to change it. Until the user chooses, `initially` holds, also when it changes. */
export function useFold(key: string, initially: boolean): readonly [boolean, (open: boolean) => void] {
  const store = useContext(FoldContext);
  const [, redraw] = useState(0);
  const choose = useCallback(
    (open: boolean) => {
      store.set(key, open);
      redraw((count) => count + 1);
    },
    [store, key],
  );
  return [store.get(key) ?? initially, choose];
}
