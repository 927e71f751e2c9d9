import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { beginTurn, endOfTurn, runTurn, startThread } from "../../lib/steps.ts";

const planMode = {
  collaborationMode: { mode: "plan", settings: { model: "mock-model", reasoning_effort: null } },
};

/** A mode comes with instructions for the model, and these are everybody's own. */
const ownWords = {
  at: /^event thread\/settings\/updated params\.threadSettings\.collaborationMode\.settings\.developer_instructions$/,
  reason: "What a mode asks of the model is said in Quire's own words.",
};

const inOrder = {
  at: /^reply thread\/(read|items\/list) result\.(thread\.turns\.items|data\.item)(\.|$)/,
  reason: "Items are read in the order in which they began; Codex puts a plan before the message that holds it.",
};

const block = (...lines: readonly string[]) => `<proposed_plan>\n${lines.join("\n")}\n</proposed_plan>`;

/** Plan mode, plan items, plans as lists of steps, and questions of the model. */
export const plans: readonly Scenario[] = [
  {
    name: "plans/modes",
    covers: "`collaborationMode/list`",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("collaborationMode/list", {});
      await peer.request("collaborationMode/list");
    },
  },
  {
    name: "plans/proposed",
    covers: "A plan that the model proposes becomes an item of its own, as it streams and when it is read back",
    run: async (stage) => {
      stage.model.script(
        reply().text([
          "Here it is:\n",
          "<propo",
          "sed_plan>\n# Do",
          " it\n- first\n",
          "- second\n</proposed",
          "_plan>\nThat is all.",
        ]),
        reply().text(`Only text with <proposed_plan> in a line.`),
        reply().text(block("# Only a plan", "", "- one")),
        reply().text(["Before\n\n", block("one"), "\nbetween\n", block("two"), "\n\nafter"]),
        reply().text(["Never closed:\n<proposed_plan>\n", "- open\n", "- end"]),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const words of ["one", "two", "three", "four", "five"]) await runTurn(peer, thread, words, planMode);
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
      await peer.request("thread/items/list", { threadId: thread.id });
    },
    differences: [ownWords, inOrder],
  },
  {
    name: "plans/default-mode",
    covers: "In the default mode such a block is text as any other",
    run: async (stage) => {
      stage.model.script(reply().text(["Look:\n", block("- one"), "\nend"]));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "plans/commands",
    covers: "A plan after a command, and two messages in one answer",
    run: async (stage) => {
      stage.model.script(
        reply().text("I look first.").functionCall("exec_command", { cmd: "echo hi" }, { callId: "call-1" }),
        reply()
          .text(`Now:\n${block("- a")}`)
          .text(`Again:\n${block("- b")}\nend`),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer, { sandbox: "danger-full-access", approvalPolicy: "never" });
      await runTurn(peer, thread, "go", planMode);
      stage.model.script(reply().text("done"));
      await runTurn(peer, thread, "do it", {
        collaborationMode: { mode: "default", settings: { model: "mock-model" } },
      });
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
    differences: [
      ownWords,
      inOrder,
      {
        at: /^event adds: item\/(started|plan\/delta|completed) /,
        reason: "A second plan in one turn is an item too; Codex drops it.",
      },
    ],
  },
  {
    name: "plans/interrupted",
    covers: "A plan that is cut short by an interrupt",
    run: async (stage) => {
      stage.model.script(reply().text(["So:\n<proposed_plan>\n- half", new Promise(() => {}), "\n</proposed_plan>"]));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "go", planMode);
      await peer.waitFor("item/plan/delta");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
    differences: [
      ownWords,
      {
        at: /^event adds: item\/completed |^event turn\/completed params\.turn\.items|^reply thread\/read result\.thread\.turns\.items$/,
        reason: "What an interrupt cuts short is completed and kept, as far as it got.",
      },
    ],
  },
  {
    name: "plans/steps",
    covers: "`update_plan`: steps and how far they are, and what is wrong with one",
    setup: { toml: "[tools.update_plan]\nenabled = true\n" },
    run: async (stage) => {
      const call = (args: object, callId: string) => reply().functionCall("update_plan", args, { callId });
      stage.model.script(
        call(
          {
            plan: [
              { step: "a", status: "in_progress" },
              { step: "b", status: "pending" },
            ],
          },
          "call-1",
        ),
        call({ explanation: "why", plan: [{ step: "a", status: "completed" }] }, "call-2"),
        call({ plan: [{ step: "a", status: "later" }] }, "call-3"),
        call({ plan: [] }, "call-4"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      stage.model.script(call({ plan: [] }, "call-5"), reply().text("done"));
      await runTurn(peer, thread, "plan", planMode);
    },
    differences: [
      ownWords,
      {
        at: /^model input (lacks|adds): function_call_output .*unknown variant/,
        reason: "Of a mistake within a list, the model is told what it is, and no column.",
      },
    ],
  },
  {
    name: "plans/questions",
    covers:
      "`request_user_input` in plan mode: answered, answered with an error, with nonsense, and not to be asked in the default mode",
    run: async (stage) => {
      const question = {
        id: "q1",
        header: "Colour",
        question: "Which?",
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cold" },
        ],
      };
      const call = (callId: string, questions: readonly object[] = [question]) =>
        reply().functionCall("request_user_input", { questions }, { callId });
      stage.model.script(call("call-1"), call("call-2"), call("call-3"), call("call-4", []), reply().text("done"));
      const answers: (() => object)[] = [() => ({ answers: { q1: { answers: ["Red"] } } }), () => ({ nonsense: 1 })];
      const peer = await stage.connect();
      peer.answer("item/tool/requestUserInput", () => {
        const answer = answers.shift();
        if (!answer) throw new Error("the client says no");
        return answer();
      });
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go", planMode);
      stage.model.script(call("call-5"), reply().text("done"));
      await runTurn(peer, thread, "go", {
        collaborationMode: { mode: "default", settings: { model: "mock-model" } },
      });
    },
    differences: [ownWords],
  },
  {
    name: "plans/questions-interrupted",
    covers: "An interrupt withdraws the model's question",
    run: async (stage) => {
      const question = {
        id: "q1",
        header: "Sure",
        question: "Sure?",
        options: [
          { label: "Yes", description: "y" },
          { label: "No", description: "n" },
        ],
      };
      stage.model.script(reply().functionCall("request_user_input", { questions: [question] }, { callId: "call-1" }));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const turn = await beginTurn(peer, thread, "go", planMode);
      await peer.waitForRequest("item/tool/requestUserInput");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
    },
    differences: [
      ownWords,
      {
        at: /^order of serverRequest\/resolved/,
        reason: "A question is withdrawn before its turn ends; Codex says so afterwards.",
      },
    ],
  },
];
