import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { keptAnswer } from "../../lib/shared-differences.ts";
import {
  answerBegins,
  beginTurn,
  command,
  endOfTurn,
  requestEach,
  runTurn,
  startThread,
  text,
  unknownThread,
  until,
} from "../../lib/steps.ts";

/** More input for a turn that is running, and its end before its end. */
export const steering: readonly Scenario[] = [
  {
    name: "steering/mid-answer",
    covers: "Input in the middle of an answer",
    run: async (stage) => {
      stage.model.script(reply().text(["first ", gate(), "second"]), reply().text("steered"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "hi");
      await answerBegins(peer, "first ");
      await peer.request("turn/steer", { threadId: thread.id, expectedTurnId: turn.id, input: [text("more")] });
      await endOfTurn(peer);
      await runTurn(peer, thread, "after");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
    differences: [keptAnswer],
  },
  {
    name: "steering/mid-command",
    covers: "Input while a command runs reaches the model with the command's output",
    run: async (stage) => {
      stage.model.script(command(`${until("go")}; echo x`, { yield_time_ms: 30_000 }), reply().text("steered"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: expectedTurnId } = await beginTurn(peer, thread, "hi");
      await peer.waitFor("item/started", ({ item }) => item.type === "commandExecution");
      const more = { threadId: thread.id, expectedTurnId, input: [text("more")], clientUserMessageId: "mine" };
      await peer.request("turn/steer", more);
      writeFileSync(join(stage.cwd, "go"), "");
      await endOfTurn(peer);
    },
  },
  {
    name: "steering/turn-start",
    covers: "`turn/start` during a turn joins it; with another output schema it is refused",
    run: async (stage) => {
      stage.model.script(reply().text(["first ", gate(), "second"]), reply().text("joined"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await beginTurn(peer, thread, "hi");
      await answerBegins(peer, "first ");
      const more = { threadId: thread.id, input: [text("more")] };
      await peer.request("turn/start", { ...more, outputSchema: { type: "object" } });
      await peer.request("turn/start", more);
      await endOfTurn(peer);
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
    differences: [
      keptAnswer,
      {
        at: "reply turn/start error",
        reason: "An output schema that does not fit is an invalid request, no internal error.",
      },
    ],
  },
  {
    name: "steering/refused",
    covers: "Steering without a turn, another turn, or without input",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      const input = [text("more")];
      await requestEach(peer, "turn/steer", [
        { threadId, expectedTurnId: "x", input },
        { threadId, input },
        { threadId: unknownThread, expectedTurnId: "x", input },
      ]);
      const held = gate();
      stage.model.script(reply().text(["first ", held, "second"]));
      const turn = await beginTurn(peer, thread, "hi");
      await answerBegins(peer, "first ");
      await requestEach(peer, "turn/steer", [
        { threadId, expectedTurnId: "wrong", input },
        { threadId, expectedTurnId: turn.id, input: [] },
        { threadId, expectedTurnId: "", input },
      ]);
      held.open();
      await endOfTurn(peer);
    },
  },
  {
    name: "interrupt/mid-answer",
    covers: "An interrupted answer, what the history keeps of it, and the next turn",
    run: async (stage) => {
      stage.model.script(reply().text(["first ", gate(), "second"]), reply().text("ok"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "hi");
      await answerBegins(peer, "first ");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "after");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
    differences: [keptAnswer],
  },
  {
    name: "interrupt/mid-command",
    covers: "Interrupting a turn whose command runs",
    run: async (stage) => {
      stage.model.script(command("sleep 20"), reply().text("ok"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "hi");
      await peer.waitFor("item/started", ({ item }) => item.type === "commandExecution");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "after");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
      await peer.request("thread/backgroundTerminals/clean", { threadId: thread.id });
      await stage.silence(300);
    },
    differences: [
      {
        at: /^order of item\/completed commandExecution|^event item\/completed commandExecution|^reply thread\/turns\/list result\.data\.items$|^model input (lacks|adds): function_call_output/,
        reason:
          "The command that a turn waits for ends with the turn, and its item completes; Codex leaves it running and open.",
      },
    ],
  },
  {
    name: "interrupt/after-reasoning",
    covers: "Reasoning that was complete before the interrupt stays in the history",
    run: async (stage) => {
      stage.model.script(reply().reasoning(["thinking"]).gate(gate()), reply().text("ok"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "hi");
      await peer.waitFor("item/completed", ({ item }) => item.type === "reasoning");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "after");
    },
  },
  {
    name: "interrupt/refused",
    covers: "Interrupting nothing, another turn, or twice",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await requestEach(peer, "turn/interrupt", [
        { threadId, turnId: "x" },
        { threadId: unknownThread, turnId: "x" },
        { threadId },
        { threadId, turnId: "" },
      ]);
      stage.model.script(reply().text(["first ", gate(), "second"]));
      const turn = await beginTurn(peer, thread, "hi");
      await answerBegins(peer, "first ");
      await peer.request("turn/interrupt", { threadId, turnId: "wrong" });
      const both = [1, 2].map(() => peer.begin("turn/interrupt", { threadId, turnId: turn.id }));
      for (const id of both) await peer.reply(id);
      await endOfTurn(peer);
    },
    differences: [keptAnswer],
  },
];
