import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fakeClock, reply } from "@quire/testkit";
import { Throttle } from "../../src/tools/workbench/throttle.ts";
import { testServer, unattended } from "../support/test-server.ts";

describe("work that is asked for again and again", () => {
  test("is done at once while that is seldom, then a few times a second, and once more for the last request", () => {
    const clock = fakeClock();
    let runs = 0;
    const paced = new Throttle(() => runs++, clock);
    const asked = (times: number, everyMs: number): number => {
      const before = runs;
      for (let n = 0; n < times; n++) {
        paced.ask();
        clock.advance(everyMs);
      }
      return runs - before;
    };
    assert.equal(asked(10, 0), 10);
    assert.equal(asked(390, 0), 6);
    clock.advance(10_000);
    assert.equal(runs, 17, "the last request");
    assert.ok(asked(1000, 10) <= 16 + 40, `${runs}`);
  });

  test("is finished before its owner ends, and not done when nothing waits", () => {
    const clock = fakeClock();
    let runs = 0;
    const paced = new Throttle(() => runs++, clock);
    paced.finish();
    assert.equal(runs, 0);
    for (let n = 0; n < 100; n++) paced.ask();
    paced.finish();
    paced.finish();
    assert.deepEqual([runs, clock.pending], [17, 0]);
  });
});

test("after many patches the last diff of a turn has them all, and comes before its end", async () => {
  await using server = await testServer();
  const { client, model } = server;
  const names = Array.from({ length: 60 }, (_, n) => `file${n}.txt`);
  const patch = (name: string) => `*** Begin Patch\n*** Add File: ${name}\n+one\n*** End Patch`;
  const calls = names.reduce((all, name) => all.customToolCall("apply_patch", patch(name)), reply());
  model.script(calls, reply().text("done"));
  const threadId = await client.thread({ cwd: server.cwd, ...unattended });
  await client.turn(threadId);
  const seen = client.received.map(({ method }) => method);
  const { diff } = client.all("turn/diff/updated").at(-1) ?? { diff: "" };
  assert.equal(diff.match(/^diff --git/gm)?.length, names.length);
  assert.ok(seen.lastIndexOf("turn/diff/updated") < seen.indexOf("turn/completed"));
});
