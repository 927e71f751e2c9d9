import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, gate } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, type Place, place } from "../support/place.ts";

const started = (at: Place) => at.events.flatMap((event) => (event.type === "run.started" ? [event.identifier] : []));

/** A hook that leaves a file where it is found, and does not come to an end. */
const hangs = (name: string) => `touch "$HOME/${name}"; sleep 1000`;

/** Has the tracker's next answer wait; gives the way to let it go, once it was asked for. */
async function heldAnswer(tracker: MemoryTracker, which: "hold" | "holdIds", ask: () => void) {
  const answer = gate();
  const method = which === "hold" ? "states" : "ids";
  const asked = () => tracker.calls.filter((call) => call.method === method).length;
  const before = asked();
  tracker[which] = answer;
  ask();
  await eventually(() => asked() > before);
  tracker[which] = undefined;
  // Not the gate itself, which is waited for by whoever waits for this.
  return { open: () => answer.open() };
}

describe("pausing", () => {
  test("paused, nothing is begun; resumed, it is", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hang" });
    at.orchestrator.pause();
    await at.orchestrator.start();
    await at.until("a look", ({ health }) => health.lastTickAt !== null);
    assert.deepEqual(started(at), []);
    at.orchestrator.resume();
    await at.until("the run", ({ running }) => running.length === 1);
  });

  test("paused while a list is on its way, nothing of the list is begun", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hang" });
    at.orchestrator.pause();
    await at.orchestrator.start();
    await eventually(() => at.ticks() === 1);
    const answer = await heldAnswer(tracker, "hold", () => at.orchestrator.resume());
    at.orchestrator.pause();
    answer.open();
    await eventually(() => at.ticks() === 2);
    assert.deepEqual(started(at), []);
    at.orchestrator.resume();
    await at.until("the run", ({ running }) => running.length === 1);
  });

  test("paused while an issue is looked at whose time has come, it stays due, and is begun when resumed", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    const answer = await heldAnswer(tracker, "holdIds", () => at.clock.advance(10_000));
    at.orchestrator.pause();
    answer.open();
    await at.look();
    at.clock.advance(60_000);
    const { retrying } = at.orchestrator.snapshot();
    assert.deepEqual([retrying[0]?.attempt, started(at)], [1, ["A"]]);
    at.orchestrator.resume();
    await at.until("the second failure", ({ retrying: [entry] }) => entry?.attempt === 2);
  });

  test("paused while it works through all once, it does not end before it was resumed", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { once: true });
    at.orchestrator.pause();
    await at.orchestrator.start();
    let over = false;
    void at.orchestrator.done.then(() => {
      over = true;
    });
    await at.look();
    assert.equal(over, false);
    at.orchestrator.resume();
    await eventually(
      () => {
        at.clock.advance(1000);
        return over;
      },
      { timeoutMs: 30_000 },
    );
    assert.deepEqual([started(at), at.orchestrator.incomplete], [["A"], false]);
  });
});

describe("coming to the end", () => {
  test("drained while an issue is looked at whose time has come, no run is begun, and no attempt is lost", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("both to run", ({ running }) => running.length === 2);
    at.orchestrator.stop("A");
    await at.until("A to be blocked", ({ blocked }) => blocked.length === 1);
    const answer = await heldAnswer(tracker, "holdIds", () => at.orchestrator.retry("A"));
    at.orchestrator.drain();
    answer.open();
    at.orchestrator.stop("B");
    await at.orchestrator.done;
    assert.deepEqual(started(at), ["A", "B"]);
    assert.deepEqual(
      at.orchestrator.snapshot().retrying.map(({ identifier, attempt }) => [identifier, attempt]),
      [["A", 1]],
    );
  });

  test("stopped while a workspace is removed at the start, the hook is ended, and the workspace goes next time", async () => {
    const tracker = new MemoryTracker(issueOf("A", { state: "Done" }));
    await using at = await place(tracker, { settings: { hooks: { before_remove: hangs("removing") } } });
    mkdirSync(join(at.root, "A"));
    const starting = at.orchestrator.start();
    await eventually(() => existsSync(join(at.path, "removing")), { timeoutMs: 30_000 });
    await at.orchestrator.shutDown();
    await starting;
    await assertNoProcesses({ tag: `HOME=${at.path}` });
    assert.ok(existsSync(join(at.root, "A")));
    at.write(readFileSync(at.workflow, "utf8").replace("sleep 1000", "true"));
    await using second = again(at, tracker);
    await second.start();
    assert.ok(!existsSync(join(at.root, "A")));
  });

  test("stopped while after_run runs, the hook is ended at once", async () => {
    const hooks = { after_run: hangs("after") };
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "noop", settings: { agent: { max_turns: 1 }, hooks } });
    await at.orchestrator.start();
    await eventually(() => existsSync(join(at.path, "after")), { timeoutMs: 30_000 });
    await at.orchestrator.shutDown();
    await assertNoProcesses({ tag: `HOME=${at.path}` });
  });

  test("stopped while the tracker is asked, the attempt counts as it did", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    const answer = await heldAnswer(tracker, "holdIds", () => at.clock.advance(10_000));
    await at.orchestrator.shutDown();
    answer.open();
    await using second = again(at, tracker);
    second.pause();
    await second.start();
    const [entry] = second.snapshot().retrying;
    assert.equal(entry?.attempt, 1);
    assert.match(entry?.error ?? "", /^turn_failed/);
  });
});
