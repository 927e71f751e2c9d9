import { gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { keptAnswer, openItem, replyWords } from "../../lib/shared-differences.ts";
import { answerBegins, beginTurn, endOfTurn, requestEach, runTurn, startThread } from "../../lib/steps.ts";

/** Reading what a thread holds, and changing it. */
export const history: readonly Scenario[] = [
  {
    name: "history/deferred-output",
    covers: "`deferOutput` leaves the output of commands out of `thread/items/list`; `thread/items/read` has it",
    run: async (stage) => {
      const peer = await stage.connect();
      stage.model.script(
        reply().functionCall("exec_command", { cmd: "echo hi" }, { callId: "call-1" }),
        reply().functionCall("exec_command", { cmd: "true" }, { callId: "call-2" }),
        reply().text("done"),
      );
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const { id: turnId } = await runTurn(peer, thread, "go");
      await requestEach(peer, "thread/items/list", [
        { threadId, deferOutput: { commandExecution: true } },
        { threadId, deferOutput: { mcpToolCall: true } },
        { threadId, deferOutput: {} },
      ]);
      await peer.request("thread/items/read", { threadId, turnId, itemIds: ["call-1"] });
      await requestEach(peer, "thread/list", [{ includeAttachedThreads: true }, { currentAccountOnly: true }]);
      await requestEach(peer, "thread/search", [
        { searchTerm: "go", includeAttachedThreads: true },
        { searchTerm: "go", currentAccountOnly: true },
      ]);
    },
    differences: [
      {
        at: /^reply thread\/items\/list result\.data\.(item\.aggregatedOutput|outputDeferred)$/,
        reason: "The output of commands is left out when a client asks for that; Codex 0.169 sends it all the same.",
      },
    ],
  },
  {
    name: "history/turns",
    covers: "`thread/turns/list`: views, order, pages in both directions",
    run: async (stage) => {
      const peer = await stage.connect();
      stage.model.script(
        reply().reasoning(["sum"]).functionCall("exec_command", { cmd: "echo hi" }, { callId: "call-1" }),
      );
      const thread = await startThread(peer);
      for (const words of ["a", "b", "c"]) await runTurn(peer, thread, words);
      const threadId = thread.id;
      await requestEach(peer, "thread/turns/list", [
        { threadId },
        { threadId, itemsView: "notLoaded" },
        { threadId, itemsView: "full" },
        { threadId, sortDirection: "asc" },
        { threadId, limit: 0 },
        { threadId, cursor: "nope" },
      ]);
      const page = await peer.result("thread/turns/list", { threadId, limit: 1 });
      const next = await peer.result("thread/turns/list", { threadId, limit: 1, cursor: page.nextCursor });
      const { backwardsCursor } = next;
      await requestEach(peer, "thread/turns/list", [
        { threadId, limit: 1, cursor: next.nextCursor },
        { threadId, limit: 2, cursor: backwardsCursor, sortDirection: "asc" },
        { threadId, limit: 1, cursor: backwardsCursor },
      ]);
    },
  },
  {
    name: "history/items",
    covers: "`thread/items/list` and `thread/items/read`",
    run: async (stage) => {
      const peer = await stage.connect();
      stage.model.script(reply().functionCall("exec_command", { cmd: "echo hi" }, { callId: "call-1" }));
      const thread = await startThread(peer);
      const { id: turnId } = await runTurn(peer, thread, "a");
      await runTurn(peer, thread, "b");
      const threadId = thread.id;
      await requestEach(peer, "thread/items/list", [
        { threadId },
        { threadId, turnId },
        { threadId, turnId: "nope" },
        { threadId, sortDirection: "desc" },
        { threadId, limit: 0 },
        { threadId, cursor: "nope" },
      ]);
      const page = await peer.result("thread/items/list", { threadId, limit: 2 });
      const next = await peer.result("thread/items/list", { threadId, limit: 2, cursor: page.nextCursor });
      await peer.request("thread/items/list", {
        threadId,
        limit: 2,
        cursor: next.backwardsCursor,
        sortDirection: "desc",
      });
      await requestEach(peer, "thread/items/read", [
        { threadId, turnId, itemIds: ["call-1"] },
        { threadId, turnId, itemIds: ["nope"] },
        { threadId, turnId: "nope", itemIds: ["call-1"] },
        { threadId, turnId, itemIds: [] },
      ]);
    },
  },
  {
    name: "history/while-running",
    covers: "Reading and forking a thread whose turn is running",
    run: async (stage) => {
      const held = gate();
      stage.model.script(reply().text(["part ", held, "rest"]));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await beginTurn(peer, thread, "a");
      await answerBegins(peer, "part ");
      await peer.request("thread/read", { threadId, includeTurns: true });
      await peer.request("thread/items/list", { threadId });
      await peer.request("thread/list", {});
      await peer.request("thread/fork", { threadId });
      held.open();
      await endOfTurn(peer);
    },
    differences: [openItem],
  },
  {
    name: "history/inject",
    covers: "`thread/inject_items` between turns and during one",
    run: async (stage) => {
      const message = (role: string, type: string, words: string) => ({
        type: "message",
        role,
        content: [{ type, text: words }],
      });
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await runTurn(peer, thread, "a");
      const items = [message("user", "input_text", "injected"), message("assistant", "output_text", "as well")];
      await peer.request("thread/inject_items", { threadId, items });
      await runTurn(peer, thread, "b");
      await requestEach(peer, "thread/inject_items", [
        { threadId, items: [] },
        { threadId, items: ["x"] },
      ]);
      const held = gate();
      stage.model.script(reply().text(["x ", held, "y"]));
      await beginTurn(peer, thread, "c");
      await answerBegins(peer, "x ");
      await peer.request("thread/inject_items", {
        threadId,
        items: [message("user", "input_text", "injected meanwhile")],
      });
      held.open();
      await endOfTurn(peer);
      await peer.request("thread/turns/list", { threadId, itemsView: "full" });
    },
    differences: [
      replyWords,
      {
        at: /^model input (lacks|adds): assistant "x y"/,
        reason:
          "What is injected during an answer stands where it was injected: before the answer that was not yet complete.",
      },
    ],
  },
  {
    name: "history/revert",
    covers: "`thread/revert` to a turn, to the beginning, and of a running turn",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      const first = await runTurn(peer, thread, "a");
      const second = await runTurn(peer, thread, "b");
      await peer.request("thread/revert", { threadId, beforeTurnId: second.id });
      await runTurn(peer, thread, "c");
      await peer.request("thread/turns/list", { threadId });
      await requestEach(peer, "thread/revert", [
        { threadId, beforeTurnId: "nope" },
        { threadId, beforeTurnId: second.id },
      ]);
      await peer.request("thread/revert", { threadId, beforeTurnId: first.id });
      stage.model.script(reply().text(["x ", gate(), "y"]));
      const running = await beginTurn(peer, thread, "d");
      await answerBegins(peer, "x ");
      await peer.request("thread/revert", { threadId, beforeTurnId: running.id });
      await runTurn(peer, thread, "e");
      await peer.request("thread/read", { threadId, includeTurns: true });
    },
    differences: [
      keptAnswer,
      {
        at: "event lacks: thread/status/changed",
        reason: "A thread stays loaded while it is reverted; Codex unloads it and loads it again.",
      },
      {
        at: "event thread/tokenUsage/updated params.tokenUsage.total",
        reason: "The tokens of reverted turns stay in the total, for they were spent.",
      },
      {
        at: "event adds: thread/tokenUsage/updated",
        reason: "As they stay, a turn that is interrupted after a revert to the beginning can repeat them.",
      },
      {
        at: /result\.thread\.path$/,
        reason: "A revert is noted in the thread's own rollout; Codex begins another file.",
      },
    ],
  },
  {
    name: "history/rollback",
    covers: "`thread/rollback`, which `thread/revert` has replaced",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const words of ["a", "b"]) await runTurn(peer, thread, words);
      await peer.request("thread/rollback", { threadId: thread.id, numTurns: 1 });
    },
    differences: [
      { at: "reply thread/rollback", reason: "`thread/rollback` still works, for clients of earlier versions." },
    ],
  },
];
