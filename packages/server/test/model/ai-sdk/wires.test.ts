/** The same scenarios on every wire, against mocks that refuse what the real ones refuse. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answers } from "./answers.ts";
import { calls, flawedCall } from "./calls.ts";
import { failures } from "./failures.ts";
import { stage, wires } from "./stage.ts";
import { threads } from "./threads.ts";

const scenarios = [...answers, ...calls, ...threads, ...failures];

test("there are forty scenarios and more", () => {
  assert.ok(scenarios.length >= 40, `${scenarios.length}`);
});

for (const wire of wires) {
  describe(wire.name, () => {
    for (const { name, options, run } of wire.api === "gemini" ? scenarios : [...scenarios, flawedCall]) {
      test(name, async () => {
        await using set = await stage(wire, options);
        await run(set);
        assert.deepEqual([...set.mock.refused, ...set.other.refused], [], "requests that the provider refused");
      });
    }
  });
}
