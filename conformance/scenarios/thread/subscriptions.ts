import { gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { openItem } from "../../lib/shared-differences.ts";
import { answerBegins, beginTurn, endOfTurn, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

/** Subscribers and their notifications. */
export const subscriptions: readonly Scenario[] = [
  {
    name: "subscriptions/unsubscribe",
    covers: "`thread/unsubscribe`, and what a connection still hears afterwards",
    run: async (stage) => {
      const held = gate();
      stage.model.script(reply().text(["part ", held, "rest"]));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await beginTurn(peer, thread, "a");
      await answerBegins(peer, "part ");
      await peer.request("thread/unsubscribe", { threadId });
      await peer.request("thread/unsubscribe", { threadId });
      held.open();
      await peer.waitFor("thread/status/changed", ({ status }) => status.type === "idle");
      await peer.request("thread/loaded/list", {});
      await peer.request("thread/unsubscribe", { threadId: unknownThread });
      await peer.request("thread/resume", { threadId, excludeTurns: true });
      await runTurn(peer, thread, "b");
    },
  },
  {
    name: "subscriptions/two-connections",
    covers: "Two clients over WebSocket: what goes to all, and what only to subscribers",
    run: async (stage) => {
      const one = await stage.dial();
      const optOutNotificationMethods = ["item/agentMessage/delta"];
      const other = await stage.dial({ capabilities: { experimentalApi: true, optOutNotificationMethods } });
      const thread = await startThread(one);
      const threadId = thread.id;
      await runTurn(one, thread, "from one");
      await other.request("thread/resume", { threadId, excludeTurns: true });
      await runTurn(other, thread, "from the other");
      await endOfTurn(one);
      await one.request("thread/name/set", { threadId, name: "N" });
      await other.waitFor("thread/name/updated");
      await one.request("thread/unsubscribe", { threadId });
      await runTurn(other, thread, "for the other alone");
      await other.request("thread/archive", { threadId });
      await one.waitFor("thread/archived");
    },
  },
  {
    name: "subscriptions/disconnect",
    covers: "A client that goes away in the middle of a turn, and one that takes over",
    run: async (stage) => {
      const held = gate();
      stage.model.script(reply().text(["x ", held, "y"]));
      const one = await stage.dial();
      const other = await stage.dial();
      const thread = await startThread(one);
      await beginTurn(one, thread, "hi");
      await answerBegins(one, "x ");
      await one.close();
      await other.request("thread/resume", { threadId: thread.id });
      await stage.silence();
      held.open();
      await endOfTurn(other);
    },
    differences: [openItem],
  },
];
