import { createContext, useContext } from "react";

/** The thread around an item, as its views need it. */
export interface ItemContextValue {
  /** The thread's folder: paths below it are shown without it. */
  readonly cwd: string | null;
  /** Shows another thread, e.g. a sub-agent's; null where there is nowhere to show it. */
  readonly openThread: ((threadId: string) => void) | null;
  /** Name of a sub-agent, where it is known. */
  readonly agentName: (threadId: string) => string | null;
  /**
   * Reads a file of the hub's machine and resolves with its bytes in base64; null where the hub cannot. Images that an
   * item names by path are shown through it.
   */
  readonly readFile: ((path: string) => Promise<string>) | null;
  /** Goes back to before a turn; null or left out where that cannot be done now. */
  readonly undo?: ((turnId: string) => void) | null | undefined;
  /** The key under which comments on lines are kept; left out where lines take none. */
  readonly commentsOf?: string | undefined;
  /** The address of an item, to be shared; left out where it has none. */
  readonly linkTo?: ((itemId: string) => string) | undefined;
  /** There is room for diffs in two columns. */
  readonly wide?: boolean | undefined;
}

/** The thread around an item; without one paths are shown in full and nothing can be opened. */
export const ItemContext = createContext<ItemContextValue>({
  cwd: null,
  openThread: null,
  agentName: () => null,
  readFile: null,
});

/** The thread around an item. */
export const useItemContext = (): ItemContextValue => useContext(ItemContext);
