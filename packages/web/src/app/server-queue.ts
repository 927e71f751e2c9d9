import { useMemo } from "react";
import type { MessageQueue } from "../composer/index.ts";
import { type ThreadState, useActions } from "../state/index.ts";

/** The thread's queue at the server; undefined where the server keeps none. */
export function useServerQueue({ summary, queue }: ThreadState): MessageQueue | undefined {
  const actions = useActions();
  const { hub, thread } = summary.key;
  return useMemo(() => {
    if (queue === null) return undefined;
    const key = { hub, thread };
    return {
      messages: queue.map(({ id, input }) => ({ id, input, overrides: {}, error: null })),
      add: (input, overrides) => actions.queueAdd(key, input, overrides),
      take: (id) => actions.queueDelete(key, id),
      order: (ids) => actions.queueReorder(key, ids),
      start: (id) => actions.queueStart(key, id),
    };
  }, [actions, hub, thread, queue]);
}
