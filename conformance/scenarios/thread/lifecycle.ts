import { gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import {
  answerBegins,
  beginTurn,
  command,
  requestEach,
  runTurn,
  startThread,
  text,
  unknownThread,
} from "../../lib/steps.ts";

/** Threads that are forked, resumed, archived, deleted. */
export const lifecycle: readonly Scenario[] = [
  {
    name: "fork/variants",
    covers: "`thread/fork` of all turns, up to a turn, before a turn, with other settings",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      const first = await runTurn(peer, thread, "a");
      const second = await runTurn(peer, thread, "b");
      await peer.request("thread/name/set", { threadId, name: "Original" });
      await peer.waitFor("thread/name/updated");
      const fork = await peer.result("thread/fork", { threadId });
      await runTurn(peer, fork.thread, "in the fork");
      await peer.request("thread/read", { threadId: fork.thread.id, includeTurns: true });
      await requestEach(peer, "thread/fork", [
        { threadId, lastTurnId: first.id },
        { threadId, beforeTurnId: second.id },
        { threadId, beforeTurnId: first.id },
        { threadId, excludeTurns: true },
        { threadId, model: "model-2", cwd: "/tmp", sandbox: "read-only" },
      ]);
    },
    differences: [
      {
        at: "event thread/tokenUsage/updated params.tokenUsage.total",
        reason: "The total of a fork begins with all that its source has used, also where the fork takes fewer turns.",
      },
    ],
  },
  {
    name: "fork/ephemeral",
    covers: "A fork that is not stored",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "a");
      await peer.request("thread/fork", { threadId: thread.id, ephemeral: true });
      const fork = await peer.result("thread/fork", { threadId: thread.id, ephemeral: true, excludeTurns: true });
      await runTurn(peer, fork.thread, "in the fork");
    },
    differences: [
      replyWords,
      { at: "model prompt_cache_key", reason: "Every thread has a cache key of its own, also an ephemeral fork." },
    ],
  },
  {
    name: "fork/refused",
    covers: "Forking what is not there",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await runTurn(peer, thread, "a");
      const unused = await startThread(peer);
      await requestEach(peer, "thread/fork", [
        { threadId: thread.id, lastTurnId: "nope" },
        { threadId: thread.id, lastTurnId: turn.id, beforeTurnId: turn.id },
        { threadId: unused.id },
        { threadId: unknownThread },
      ]);
    },
    differences: [replyWords],
  },
  {
    name: "resume/loaded",
    covers: "Resuming a thread that is loaded",
    run: async (stage) => {
      stage.model.script(command("echo hi"), reply().text("one"));
      const peer = await stage.connect();
      const thread = await startThread(peer, { model: "model-1" });
      const threadId = thread.id;
      await runTurn(peer, thread, "a", { effort: "high" });
      await requestEach(peer, "thread/resume", [
        { threadId },
        { threadId, excludeTurns: true },
        { threadId, model: "other" },
        { threadId, initialTurnsPage: { limit: 1, itemsView: "full" } },
      ]);
    },
  },
  {
    name: "resume/stored",
    covers: "Listing, reading and resuming after a restart; the thread keeps model and effort unless told otherwise",
    run: async (stage) => {
      stage.model.script(command("echo hi"), reply().text("one"));
      const first = await stage.connect();
      const thread = await startThread(first, { model: "model-1" });
      const threadId = thread.id;
      await runTurn(first, thread, "a", { effort: "high" });
      await first.close();
      const second = await stage.connect();
      await second.request("thread/list", {});
      await second.request("thread/read", { threadId });
      await second.request("turn/start", { threadId, input: [text("x")] });
      await second.request("thread/resume", { threadId });
      await runTurn(second, thread, "b");
      await second.close();
      const third = await stage.connect();
      await third.request("thread/resume", { threadId, model: "model-3", excludeTurns: true, cwd: "/tmp" });
      await runTurn(third, thread, "c");
    },
    differences: [
      {
        at: "event lacks: warning This session was recorded with model",
        reason: "That a thread goes on with the model that the client has asked for is no reason for a warning.",
      },
    ],
  },
  {
    name: "resume/path-and-history",
    covers: "Resuming by a rollout's path, and from a history that the client gives",
    run: async (stage) => {
      const first = await stage.connect();
      const thread = await startThread(first);
      await runTurn(first, thread, "a");
      await first.close();
      const peer = await stage.connect();
      const threadId = unknownThread;
      const content = [{ type: "input_text", text: "from history" }];
      await peer.request("thread/resume", { threadId, path: thread.path, excludeTurns: true });
      await requestEach(peer, "thread/resume", [
        { threadId, path: "/no/such.jsonl" },
        { threadId },
        { threadId: thread.id, history: [] },
      ]);
      const given = await peer.result("thread/resume", {
        threadId,
        history: [{ type: "message", role: "user", content }],
      });
      await runTurn(peer, given.thread, "go on");
    },
    differences: [
      replyWords,
      {
        at: /^model input (lacks|adds): user "from history"/,
        reason: "The context stands before a history that the client gives; Codex puts it after.",
      },
    ],
  },
  {
    name: "resume/after-crash",
    covers: "After kill -9 in the middle of a turn: what was completed is there, the turn reads as interrupted",
    run: async (stage) => {
      stage.model.script(reply().text("one"), command("echo hi"), reply().text(["half ", gate()]));
      const first = await stage.connect();
      const thread = await startThread(first);
      const threadId = thread.id;
      await runTurn(first, thread, "a");
      await beginTurn(first, thread, "b");
      await answerBegins(first, "half ");
      await stage.kill();
      const peer = await stage.connect();
      await peer.request("thread/list", {});
      await peer.request("thread/read", { threadId, includeTurns: true });
      await peer.request("thread/resume", { threadId, excludeTurns: true });
      await runTurn(peer, thread, "c");
      await peer.request("thread/turns/list", { threadId, itemsView: "full" });
    },
  },
  {
    name: "archive/round-trip",
    covers: "Archiving, what an archived thread refuses, unarchiving, deleting",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await runTurn(peer, thread, "a");
      await peer.request("thread/archive", { threadId });
      await peer.waitFor("thread/archived");
      await requestEach(peer, "thread/list", [{}, { archived: true }]);
      await peer.request("thread/read", { threadId });
      await peer.request("turn/start", { threadId, input: [text("x")] });
      for (const method of ["resume", "archive", "fork"]) await peer.request(`thread/${method}`, { threadId });
      await peer.request("thread/unarchive", { threadId });
      await peer.waitFor("thread/unarchived");
      await peer.request("thread/unarchive", { threadId });
      await peer.request("thread/list", {});
      await peer.request("thread/resume", { threadId, excludeTurns: true });
      await runTurn(peer, thread, "b");
      await peer.request("thread/delete", { threadId });
      await peer.waitFor("thread/deleted");
      await peer.request("thread/list", {});
      await peer.request("thread/read", { threadId });
      await peer.request("thread/delete", { threadId });
    },
    differences: [replyWords],
  },
  {
    name: "archive/unused",
    covers: "Naming, archiving and deleting a thread that never had a turn",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "thread/name/set", [
        { threadId, name: "  Trimmed  " },
        { threadId, name: "   " },
      ]);
      await peer.request("thread/read", { threadId });
      await peer.request("thread/archive", { threadId });
      await peer.waitFor("thread/archived");
      await peer.request("thread/list", { archived: true });
      const other = await startThread(peer);
      await peer.request("thread/delete", { threadId: other.id });
      await peer.waitFor("thread/deleted");
    },
  },
];
