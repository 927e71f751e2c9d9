import assert from "node:assert/strict";
import { eventually, gate, reply } from "@quire/testkit";
import { input } from "../../support/test-client.ts";
import { plan, type Scenario } from "./scenario.ts";
import { itemsOf, said } from "./stage.ts";

export const answers: Scenario[] = [
  {
    name: "text comes whole, with its tokens",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("Good morning.").usage({ input: 50, cachedInput: 20, output: 7 }));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
      assert.deepEqual(said(client), ["Good morning."]);
      const { last } = (await client.waitFor("thread/tokenUsage/updated")).tokenUsage;
      assert.deepEqual([last.inputTokens, last.cachedInputTokens, last.outputTokens], [50, 20, 7]);
    },
  },
  {
    name: "text streams in pieces, in their order",
    async run({ client, cwd, mock }) {
      const holds = [gate(), gate()];
      mock.script(reply().text(["One two 🌍", ...holds.slice(0, 1), "🌍 three", ...holds.slice(1), " four."]));
      const turn = await client.start(await client.thread({ cwd }));
      for (const [index, hold] of holds.entries()) {
        await eventually(() => client.all("item/agentMessage/delta").length > index, { what: "the next piece" });
        hold.open();
      }
      await client.ended(turn);
      const deltas = client.all("item/agentMessage/delta").map(({ delta }) => delta);
      assert.deepEqual(deltas, ["One two 🌍", "🌍 three", " four."]);
    },
  },
  {
    name: "a slow stream shows what is there",
    async run({ client, cwd, mock }) {
      const hold = gate();
      mock.script(reply().text(["first ", hold, "second"]));
      const turn = await client.start(await client.thread({ cwd }));
      await client.waitFor("item/agentMessage/delta", ({ delta }) => delta === "first ");
      hold.open();
      await client.ended(turn);
      assert.deepEqual(said(client), ["first second"]);
    },
  },
  {
    name: "reasoning is an item of its own, before the answer",
    async run({ client, cwd, mock }) {
      mock.script(reply().reasoning(["I look first"]).text("Found."));
      await client.turn(await client.thread({ cwd }));
      const kinds = client.items.map(({ type }) => type);
      assert.deepEqual(kinds, ["userMessage", "reasoning", "agentMessage"]);
      const [item] = itemsOf(client, "reasoning");
      assert.deepEqual([...(item?.summary ?? []), ...(item?.content ?? [])], ["I look first"]);
    },
  },
  {
    name: "reasoning goes back with the call that it led to",
    async run({ client, cwd, mock, wire }) {
      mock.script(
        reply().reasoning(["I look first"], { encrypted: "SEALED" }).functionCall("update_plan", plan),
        reply().text("Done."),
      );
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      const sent = JSON.stringify(mock.last.sent);
      assert.ok(sent.includes("update_plan"));
      assert.ok(wire.reasoning === undefined ? !sent.includes("SEALED") : sent.includes(wire.reasoning));
    },
  },
  {
    name: "text before a call stays before it",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("I look.").functionCall("update_plan", plan), reply().text("Done."));
      await client.turn(await client.thread({ cwd }));
      assert.deepEqual(said(client), ["I look.", "Done."]);
      const types = mock.last.body.input.map(({ type, role }) => role ?? type);
      const at = types.indexOf("function_call");
      assert.deepEqual(types.slice(at - 1, at + 2), ["assistant", "function_call", "function_call_output"]);
    },
  },
  {
    name: "a thread goes on, and the model knows what was said",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("The word is plum."), reply().text("It was plum."));
      const thread = await client.thread({ cwd });
      await client.turn(thread, "tell me a word");
      await client.turn(thread, "which was it");
      assert.deepEqual(mock.last.messages("assistant"), ["The word is plum."]);
      assert.equal(mock.last.lastUserText.endsWith("which was it"), true);
    },
  },
  {
    name: "an answer of nothing ends the turn",
    async run({ client, cwd, mock }) {
      mock.script(reply());
      const thread = await client.thread({ cwd });
      assert.equal((await client.turn(thread)).status, "completed");
      mock.script(reply().text("Here."));
      assert.equal((await client.turn(thread)).status, "completed");
    },
  },
  {
    name: "the answer has the shape that was asked for",
    async run({ client, cwd, mock }) {
      const threadId = await client.thread({ cwd });
      mock.script(reply().text('{"answer":3}'));
      const outputSchema = {
        type: "object",
        properties: { answer: { type: "number" } },
        required: ["answer"],
        additionalProperties: false,
      };
      const { turn } = await client.request("turn/start", { threadId, input: input("how many"), outputSchema });
      assert.equal((await client.ended(turn.id)).status, "completed");
      assert.deepEqual(said(client), ['{"answer":3}']);
      assert.match(JSON.stringify(mock.last.sent), /"answer":\{"type":"number"/i);
    },
  },
];
