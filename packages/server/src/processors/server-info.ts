import type { Handlers } from "../context/processor.ts";
import { coreOf } from "../features/open-core.ts";
import { afterReply } from "../lib/after-reply.ts";

/** The process itself and the machine that it runs on. */
export const handlers: Handlers = {
  "server/diagnostics": (_, { server }) => {
    const { threads } = coreOf(server);
    const active = threads.ids.filter((id) => threads.get(id)?.active !== undefined).length;
    return {
      process: { id: process.pid, residentMemoryBytes: process.memoryUsage.rss(), physicalFootprintBytes: null },
      gauges: [
        { name: "app.connections.open", value: server.connections.size },
        { name: "core.threads.live", value: threads.ids.length },
        { name: "core.turns.active", value: active },
      ],
    };
  },

  // Commands are confined by other means wherever this server runs.
  "windowsSandbox/readiness": () => ({ status: "notConfigured" }),

  "windowsSandbox/setupStart": ({ mode }, { connection }) => {
    const error = `the ${mode} Windows sandbox can be set up on Windows only`;
    afterReply(() => connection.notify("windowsSandbox/setupCompleted", { mode, success: false, error }));
    return { started: true };
  },
};
