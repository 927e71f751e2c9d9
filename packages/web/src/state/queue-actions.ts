import type { Actions } from "./actions.ts";
import { overridesOnWire } from "./collaboration-mode.ts";
import type { PageStore } from "./page-store.ts";

/** Actions on messages that wait at the server. */
export function queueActions(
  store: PageStore,
): Pick<Actions, "queueAdd" | "queueDelete" | "queueReorder" | "queueStart"> {
  const port = (hub: string) => store.hub(hub).port;
  return {
    queueAdd: async ({ hub, thread }, input, overrides = {}) => {
      const chosen = overridesOnWire(store.hub(hub), thread, overrides);
      // A waiting message takes no choices of its own.
      if (Object.keys(chosen).length > 0) {
        await port(hub).request("thread/settings/update", { threadId: thread, ...chosen });
      }
      const clientUserMessageId = `quire-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      await port(hub).request("thread/queue/add", { threadId: thread, clientUserMessageId, input: [...input] });
      await store.hub(hub).open.get(thread)?.queue.load();
    },
    queueDelete: async ({ hub, thread }, queuedSubmissionId) => {
      const { deleted } = await port(hub).request("thread/queue/delete", { threadId: thread, queuedSubmissionId });
      store.hub(hub).open.get(thread)?.queue.forget(queuedSubmissionId);
      return deleted;
    },
    queueReorder: async ({ hub, thread }, ids) => {
      await port(hub).request("thread/queue/reorder", { threadId: thread, queuedSubmissionIds: [...ids] });
      await store.hub(hub).open.get(thread)?.queue.load();
    },
    queueStart: async (key, queuedSubmissionId) => {
      const { turn } = await port(key.hub).request("thread/queue/start", { threadId: key.thread, queuedSubmissionId });
      const hub = store.hub(key.hub);
      hub.threads.find(key.thread)?.set({ activeTurn: turn.status === "inProgress" ? turn.id : null, failed: false });
      hub.open.get(key.thread)?.queue.forget(queuedSubmissionId);
      hub.changed();
    },
  };
}
