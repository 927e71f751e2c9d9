import type { Scenario } from "../../lib/scenario.ts";
import { runTurn, startThread } from "../../lib/steps.ts";

const clientInfo = { name: "conformance", title: "Conformance", version: "1.0.0" };

/** Initialization, capabilities and what is refused before it comes to threads. */
export const handshake: readonly Scenario[] = [
  {
    name: "handshake/order",
    covers: "Nothing before `initialize`, and `initialize` once",
    run: async (stage) => {
      const peer = await stage.connect({ capabilities: false });
      await peer.request("thread/loaded/list", {});
      await peer.request("initialize", { clientInfo });
      await peer.request("thread/loaded/list", {});
      peer.notify("initialized");
      await peer.request("initialize", { clientInfo });
    },
  },
  {
    name: "handshake/refused",
    covers: "`initialize` with missing or bad parameters",
    run: async (stage) => {
      const peer = await stage.connect({ capabilities: false });
      await peer.request("initialize");
      await peer.request("initialize", {});
      await peer.request("initialize", { clientInfo: { name: "x" } });
      await peer.request("initialize", { clientInfo: { name: "a b\nc", version: "1.0.0" } });
      await peer.request("initialize", { clientInfo: { name: "x", version: "1.0.0" } });
    },
  },
  {
    name: "handshake/opt-out",
    covers: "Notifications that a connection does not want, by exact name",
    run: async (stage) => {
      const optOutNotificationMethods = ["thread/started", "item/agentMessage/delta", "item/*", "no/such"];
      const peer = await stage.connect({ capabilities: { experimentalApi: true, optOutNotificationMethods } });
      const { thread } = await peer.result("thread/start", {});
      await runTurn(peer, thread, "hello");
    },
  },
  {
    name: "handshake/experimental",
    covers: "Experimental methods, fields and variants need the capability",
    run: async (stage) => {
      const peer = await stage.connect({ capabilities: null });
      await peer.request("thread/start", { dynamicTools: [] });
      await peer.request("thread/start", { mockExperimentalField: "x" });
      const granular = { sandbox_approval: true, rules: true, mcp_elicitations: true };
      await peer.request("thread/start", { approvalPolicy: { granular } });
      await peer.request("mock/experimentalMethod", {});
      await peer.request("thread/search", { searchTerm: "x" });
      await peer.request("thread/resume", { threadId: "x", history: [] });
      await peer.request("thread/backgroundTerminals/clean", { threadId: "x" });
      await startThread(peer, { persistExtendedHistory: true });
    },
  },
];
