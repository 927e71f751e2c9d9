import assert from "node:assert/strict";
import { test } from "node:test";
import { beadsUnderTest, useTool } from "../../support/tracker-under-test.ts";

const bead = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: `Title of ${id}`,
  description: "What",
  acceptance_criteria: "How it is checked",
  status: "open",
  priority: 0,
  issue_type: "bug",
  labels: ["Backend"],
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  ...more,
});

test("issues of the states come whole, more than fifty too, and what blocks them holds them back", async () => {
  const many = Array.from({ length: 60 }, (_, index) => bead(`bd-a${index}`));
  await using at = await beadsUnderTest([
    ...many,
    bead("bd-z", { blocked_by: ["bd-a0"] }),
    bead("bd-c", { status: "closed" }),
  ]);
  const found = await at.tracker.fetchIssuesByStates([" Open ", "in_progress"]);
  assert.equal(found.length, 61);
  const [first] = found;
  assert.deepEqual([first?.priority, first?.labels, first?.description], [1, ["backend"], "What\n\nHow it is checked"]);
  assert.deepEqual([found.at(-1)?.identifier, found.at(-1)?.dispatchable], ["bd-z", false]);
  assert.deepEqual(found.at(-1)?.blockedBy[0]?.identifier, "bd-a0");
  const [closed, gone] = await at.tracker.fetchIssuesByIds(["bd-c", "bd-none", "--all"]);
  assert.deepEqual([closed?.state, gone], ["closed", undefined]);
});

test("states and comments are written, and an agent changes its own issue", async () => {
  await using at = await beadsUnderTest([bead("bd-1"), bead("bd-2")]);
  const [issue] = await at.tracker.fetchIssuesByIds(["bd-1"]);
  assert.ok(issue);
  const tools = at.tracker.tools({ issue, workspace: "/w" });
  assert.ok((await useTool(tools, "tracker_update", { state: "in_progress", comment: "--help" })).success);
  await at.tracker.writer?.setState(issue, "Closed");
  await at.tracker.writer?.writeNote(issue, "Pull request: here", null);
  assert.deepEqual(
    at.folder.issues().map(({ status, comments }) => [status, comments]),
    [
      ["closed", ["--help", "Pull request: here"]],
      ["open", undefined],
    ],
  );
  const [now] = await at.tracker.fetchIssuesByIds(["bd-1"]);
  assert.ok(now);
  await at.tracker.writer?.setState(now, "open");
  assert.equal(at.folder.issues()[0]?.status, "open");
});

test("a program that is missing or fails is an outage with its remedy", async () => {
  await using at = await beadsUnderTest([], { provider: { command: "/nowhere/bd" } });
  await assert.rejects(
    at.tracker.fetchIssuesByStates(["open"]),
    /bd list failed \(it was not found\).*tracker\.provider\.command/,
  );
  await using bad = await beadsUnderTest([bead("bd-1", { title: " " })]);
  assert.deepEqual(await bad.tracker.fetchIssuesByStates(["open"]), []);
  assert.equal(bad.log[0]?.level, "warn");
  await assert.rejects(bad.tracker.fetchIssuesByIds(["bd-1"]), { code: "tracker_response" });
});
