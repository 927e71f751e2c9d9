import { heapStats } from "bun:jsc";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "@quire/testkit";
import { TrackerCalls } from "../../src/scheduler/tracker-calls.ts";
import { batchLookups } from "../../src/tracker/batch-lookups.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";

test("an orchestrator that runs for months does not keep a signal of each question", async () => {
  const calls = new TrackerCalls(fakeClock(), new AbortController().signal);
  const signals = () => {
    Bun.gc(true);
    return heapStats().objectTypeCounts.AbortSignal ?? 0;
  };
  const before = signals();
  const tracker = batchLookups(new MemoryTracker(issueOf("A")).adapter.create({} as never, {} as never));
  for (let index = 0; index < 1000; index++) {
    await calls.ask((options) => tracker.fetchIssuesByIds(["id-A"], options));
  }
  const kept = signals() - before;
  assert.ok(kept < 200, `${kept} signals of 1,000 questions are kept`);
});

test("a tracker that never answers is given up when the orchestrator stops, with the reason", async () => {
  const stop = new AbortController();
  const calls = new TrackerCalls(fakeClock(), stop.signal);
  const asked = calls.ask(() => new Promise(() => undefined));
  stop.abort(new Error("stopped"));
  await assert.rejects(asked, /stopped/);
});
