import { gate, httpError, reply } from "@quire/testkit";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import { errorWords, sameTools } from "../../lib/shared-differences.ts";
import { command, endOfTurn, runTurn, startThread, text } from "../../lib/steps.ts";

const contextFirst: DeclaredDifference = {
  at: /^model input (lacks|adds): user "[ab]"/,
  reason:
    "After a compaction the context still stands at the head of the history; Codex puts it before the newest message.",
};

const summaries = ["THE SUMMARY", "EARLY SUMMARY", "MID SUMMARY"];

/** Histories that are made shorter. */
export const compaction: readonly Scenario[] = [
  {
    name: "compaction/manual",
    covers: "`thread/compact/start`: its turn, its item, and the history afterwards",
    quotes: summaries,
    run: async (stage) => {
      stage.model.script(reply().text("ok"), command("echo hi"), reply().text("done"));
      stage.model.script(reply().text("THE SUMMARY").usage({ input: 500, output: 20 }));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "a");
      await runTurn(peer, thread, "b");
      await peer.request("thread/compact/start", { threadId: thread.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "c");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
    differences: [contextFirst, sameTools],
  },
  {
    name: "compaction/busy",
    covers: "A compaction cannot be steered; one that fails leaves the history alone",
    quotes: summaries,
    run: async (stage) => {
      const held = gate();
      stage.model.script(
        reply().text("ok"),
        reply().text(["THE ", held, "SUMMARY"]),
        httpError(500),
        reply().text("ok"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await runTurn(peer, thread, "a");
      await peer.request("thread/compact/start", { threadId });
      await peer.waitFor("turn/started");
      const { turn } = await peer.waitFor("turn/started");
      await stage.model.waitForRequest(1);
      await peer.request("turn/steer", { threadId, expectedTurnId: turn.id, input: [text("more")] });
      await peer.request("turn/start", { threadId, input: [text("more")] });
      held.open();
      await endOfTurn(peer);
      await peer.request("thread/compact/start", { threadId });
      await endOfTurn(peer);
      await runTurn(peer, thread, "b");
    },
    differences: [
      errorWords,
      sameTools,
      {
        at: "reply turn/start error",
        reason: "`turn/start` during a compaction is refused in the words of `turn/steer`, not as an internal error.",
      },
      {
        at: "event adds: item/completed contextCompaction",
        reason: "The item of a compaction that fails is completed; Codex leaves it open.",
      },
    ],
  },
  {
    name: "compaction/too-long",
    covers: "A history that does not even fit to be summarised: its oldest part is left out",
    quotes: summaries,
    run: async (stage) => {
      const tooLong = reply().failed("context_length_exceeded", "too long");
      stage.model.script(reply().text("one"), reply().text("two"), tooLong, reply().text("THE SUMMARY"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "a");
      await runTurn(peer, thread, "b");
      await peer.request("thread/compact/start", { threadId: thread.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "c");
    },
    differences: [
      contextFirst,
      sameTools,
      {
        at: /^model input adds: developer </,
        reason: "What is left out is the oldest of the history; Codex begins with the instructions before it.",
      },
    ],
  },
  {
    name: "compaction/automatic",
    covers: "Compaction near the window: before a turn, and in the middle of one",
    setup: { config: { model_context_window: 10_000, model_auto_compact_token_limit: 500 } },
    quotes: summaries,
    run: async (stage) => {
      stage.model.script(
        reply().text("big").usage({ input: 600, output: 50 }),
        reply().text("EARLY SUMMARY"),
        reply().text("after"),
        command("echo hi").usage({ input: 900, output: 10 }),
        reply().text("MID SUMMARY"),
        reply().text("end"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const words of ["a", "b", "c"]) await runTurn(peer, thread, words);
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
    differences: [contextFirst, sameTools],
  },
];
