import type { ServerPort } from "@quire/client";
import { type ItemState, LiveThread, type LiveThreadSnapshot, ThreadView } from "@quire/client/view";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";

/** Options of {@link useThread}. */
export interface ThreadOptions {
  /** Runs what shows a change. Default: once for each frame of the screen. */
  readonly schedule?: ((run: () => void) => void) | undefined;
}

/** A thread as it is shown. */
export interface ThreadState extends Omit<LiveThreadSnapshot, "items"> {
  /** All items that are loaded, in order, with their deltas so far. */
  readonly items: readonly ItemState[];
  /** True while a turn runs, whoever started it. */
  readonly isRunning: boolean;
  /** Loads older turns, where `olderCursor` says that there are any. */
  readonly loadOlder: () => Promise<void>;
}

const emptySnapshot: LiveThreadSnapshot = {
  ...new ThreadView().snapshot(),
  loading: false,
  loadingOlder: false,
  error: null,
  queue: [],
};

/**
 * A thread with its history and everything that happens on it, also by other clients. While there is no client or no id
 * yet, it is empty.
 *
 * ```tsx
 * const { items, isRunning } = useThread(codex, threadId);
 * ```
 */
export function useThread(
  codex: ServerPort | null | undefined,
  threadId: string | null | undefined,
  { schedule = onFrame }: ThreadOptions = {},
): ThreadState {
  const live = useMemo(
    () => (codex && threadId ? new LiveThread(codex, threadId, { schedule }) : undefined),
    [codex, threadId, schedule],
  );
  useEffect(() => {
    live?.follow();
    void live?.load();
    return () => live?.close();
  }, [live]);
  const read = () => live?.snapshot() ?? emptySnapshot;
  const snapshot = useSyncExternalStore(live?.subscribe ?? nothing, read, () => emptySnapshot);
  const items = useMemo(
    () => snapshot.turns.flatMap(({ itemIds }) => itemIds.flatMap((id) => snapshot.items.get(id) ?? [])),
    [snapshot],
  );
  const loadOlder = useCallback(async () => live?.loadOlder(), [live]);
  return { ...snapshot, items, isRunning: snapshot.activeTurn !== null, loadOlder };
}

const nothing = () => () => undefined;

function onFrame(run: () => void): void {
  requestAnimationFrame(run);
}
