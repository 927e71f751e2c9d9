import { eventually, gate, httpError, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { beginTurn, endOfTurn, requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

/** Goals that threads pursue by themselves. */
export const goals: readonly Scenario[] = [
  {
    name: "goals/requests",
    covers: "`thread/goal/set`, `get` and `clear`: what they keep, tell and refuse",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "thread/goal/get", [{ threadId }, { threadId: unknownThread }, { threadId: "bad" }]);
      await requestEach(peer, "thread/goal/set", [
        { threadId, status: "paused" },
        { threadId, objective: "  " },
        { threadId, objective: "x", tokenBudget: 0 },
        { threadId, objective: "x".repeat(4001) },
        { threadId, objective: " Paused ", status: "paused" },
        { threadId, objective: "Other words", tokenBudget: 500 },
        { threadId: unknownThread, objective: "x" },
      ]);
      await peer.request("thread/goal/get", { threadId });
      await requestEach(peer, "thread/goal/clear", [{ threadId }, { threadId }, { threadId: unknownThread }]);
      const { id: ephemeral } = await startThread(peer, { ephemeral: true });
      await requestEach(peer, "thread/goal/set", [{ threadId: ephemeral, objective: "x" }]);
      await requestEach(peer, "thread/goal/get", [{ threadId: ephemeral }]);
    },
    differences: [replyWords],
  },
  {
    name: "goals/continued",
    covers: "An active goal is worked on turn by turn until it is complete",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      const held = gate();
      stage.model.script(reply().text("one"), reply().text("two"), reply().gate(held).text("three"));
      await peer.request("thread/goal/set", { threadId, objective: "Build it" });
      await eventually(() => stage.model.requests.length > 2);
      await peer.request("thread/goal/set", { threadId, status: "complete" });
      held.open();
      await peer.waitFor("thread/readState/changed");
      await stage.silence();
      await peer.request("thread/goal/get", { threadId });
      await peer.request("thread/read", { threadId });
    },
    // Told at the same time as the reply to who has set it.
    free: ["thread/goal/updated"],
  },
  {
    name: "goals/budget",
    covers: "A goal whose budget is used up is not worked on any more",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.request("thread/goal/set", { threadId, objective: "Cheap", tokenBudget: 150 });
      await peer.waitFor("thread/goal/updated", ({ goal }) => goal.status === "budgetLimited");
      await peer.waitFor("thread/readState/changed");
      await stage.silence();
      await requestEach(peer, "thread/goal/set", [{ threadId, status: "active" }]);
      await stage.silence();
    },
  },
  {
    name: "goals/failed",
    covers: "A turn that fails blocks the goal",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      stage.model.script(httpError(400));
      await peer.request("thread/goal/set", { threadId, objective: "Failing" });
      await peer.waitFor("turn/completed");
      await stage.silence();
      await peer.request("thread/goal/get", { threadId });
    },
  },
  {
    name: "goals/interrupted",
    covers: "Interrupting a turn leaves the goal as it is and begins no other turn; resuming the thread does",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      const held = gate();
      stage.model.script(reply().gate(held).text("first"), reply().text("unused"));
      await peer.request("thread/goal/set", { threadId, objective: "Interrupted" });
      const { turn } = await peer.waitFor("turn/started");
      await eventually(() => stage.model.requests.length > 0);
      await peer.request("turn/interrupt", { threadId, turnId: turn.id });
      await peer.waitFor("turn/completed");
      held.open();
      await stage.silence();
      await peer.request("thread/goal/get", { threadId });
      await peer.request("thread/goal/set", { threadId, status: "paused" });
      await stage.silence();
    },
    erratic: ["account/rateLimits/updated"],
  },
  {
    name: "goals/tools",
    covers: "`get_goal`, `create_goal` and `update_goal` are offered, and say what is wrong",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      stage.model.script(
        reply().functionCall("get_goal", {}, { callId: "get" }),
        reply().functionCall("update_goal", { status: "complete" }, { callId: "update" }),
        reply().functionCall("create_goal", { objective: " " }, { callId: "create" }),
        reply().text("nothing to do"),
      );
      await runTurn(peer, thread, "is there a goal?");
    },
  },
  {
    name: "goals/edited",
    covers: "A goal that is changed while a turn runs is told to the model in that turn",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const [held, next] = [gate(), gate()];
      stage.model.script(reply().gate(held).text("slow"), reply().gate(next).text("turned"));
      await beginTurn(peer, thread, "go");
      await eventually(() => stage.model.requests.length > 0);
      await requestEach(peer, "thread/goal/set", [
        { threadId: thread.id, objective: "First" },
        { threadId: thread.id, objective: "Second" },
      ]);
      held.open();
      await eventually(() => stage.model.requests.length > 1);
      await peer.request("thread/goal/set", { threadId: thread.id, status: "complete" });
      next.open();
      await endOfTurn(peer);
      await stage.silence();
    },
    // How often it is told what a goal has cost so far depends on the moment at which the real server counts.
    erratic: ["thread/goal/updated"],
  },
];
