import type { Actions } from "./actions.ts";
import { overridesOnWire } from "./collaboration-mode.ts";
import type { PageStore } from "./page-store.ts";

/** Actions on messages that wait at the server. */
export function queueActions(
  store: PageStore,
): Pick<Actions, "queueAdd" | "queueDelete" | "queueReorder" | "queueStart"> {
  const port = (hub: string) => store.session(hub).port;
  return {
    queueAdd: async ({ hub, thread }, input, overrides = {}) => {
      const chosen = overridesOnWire(store.session(hub), thread, overrides);
      // A waiting message takes no choices of its own.
      if (Object.keys(chosen).length > 0) {
        await port(hub).request("thread/settings/update", { threadId: thread, ...chosen });
      }
      const clientUserMessageId = `quire-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      await port(hub).request("thread/queue/add", { threadId: thread, clientUserMessageId, input: [...input] });
      await store.session(hub).open.get(thread)?.queue.load();
    },
    queueDelete: async ({ hub, thread }, queuedSubmissionId) => {
      const { deleted } = await port(hub).request("thread/queue/delete", { threadId: thread, queuedSubmissionId });
      store.session(hub).open.get(thread)?.queue.forget(queuedSubmissionId);
      return deleted;
    },
    queueReorder: async ({ hub, thread }, ids) => {
      await port(hub).request("thread/queue/reorder", { threadId: thread, queuedSubmissionIds: [...ids] });
      await store.session(hub).open.get(thread)?.queue.load();
    },
    queueStart: async ({ hub, thread }, queuedSubmissionId) => {
      const { turn } = await port(hub).request("thread/queue/start", { threadId: thread, queuedSubmissionId });
      const session = store.session(hub);
      session.threads.find(thread)?.set({ activeTurn: turn.status === "inProgress" ? turn.id : null, failed: false });
      session.open.get(thread)?.queue.forget(queuedSubmissionId);
      session.changed();
    },
  };
}
