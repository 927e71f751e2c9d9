/** What a model proposes in plan mode is told from what it says, however the stream cuts it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { PlanSplitter, splitPlan } from "../../../src/turn/plan/plan-splitter.ts";

const messages: readonly (readonly [text: string, said: string, plan: string | undefined])[] = [
  ["no plan", "no plan", undefined],
  ["a\n<proposed_plan>\n- b\n</proposed_plan>\nc", "a\nc", "- b\n"],
  ["<proposed_plan>\n</proposed_plan>", "", ""],
  ["  <proposed_plan>  \n- b\n  </proposed_plan>\n", "", "- b\n"],
  ["in a <proposed_plan> line\n", "in a <proposed_plan> line\n", undefined],
  ["<proposed_plan> with more\n", "<proposed_plan> with more\n", undefined],
  ["</proposed_plan>\nstray", "</proposed_plan>\nstray", undefined],
  ["<proposed_plan>\none\n</proposed_plan>\n<proposed_plan>\ntwo\n</proposed_plan>", "", "two\n"],
  ["never closed\n<proposed_plan>\n- b", "never closed\n", "- b"],
  ["<proposed_plan>\n<proposed_plan>\n</proposed_plan>\n", "", "<proposed_plan>\n"],
  ["blank\n\n\nlines\r\n<proposed_plan>\r\nx\r\n</proposed_plan>\r\n", "blank\n\n\nlines\r\n", "x\r\n"],
];

test("a plan stands between two tags, each alone on its line", () => {
  for (const [text, said, plan] of messages) assert.deepEqual(splitPlan(text), { said, plan }, JSON.stringify(text));
});

test("wherever the stream is cut, the same comes out, and only what may be a tag is held back", () => {
  const source = random();
  for (let round = 0; round < 300; round++) {
    for (const [text, said] of messages) {
      const splitter = new PlanSplitter();
      let out = "";
      let rest = text;
      while (rest !== "") {
        const length = source.int(1, 6);
        const pieces = splitter.push(rest.slice(0, length));
        rest = rest.slice(length);
        for (const piece of pieces) if (!piece.plan) out += piece.text;
      }
      for (const piece of splitter.end()) if (!piece.plan) out += piece.text;
      assert.equal(out, said, `${JSON.stringify(text)} with seed ${source.seed}`);
    }
  }
  const splitter = new PlanSplitter();
  assert.deepEqual(splitter.push("word"), [{ plan: false, text: "word" }]);
  assert.deepEqual(splitter.push("\n<prop"), [{ plan: false, text: "\n" }]);
});
