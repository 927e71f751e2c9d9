import assert from "node:assert/strict";
import { test } from "node:test";
import { githubIssue } from "../../support/fake-github.ts";
import { makeTracker, projectUnderTest } from "../../support/tracker-under-test.ts";

const item = (number: number, status: string | null, more: Record<string, unknown> = {}) => ({
  id: `ITEM_${number}`,
  status,
  content: githubIssue(number, more),
});

test("the field of the project is the state; drafts, archived items and other repositories are left out", async () => {
  await using at = projectUnderTest();
  at.server.items.push(
    item(1, "Todo"),
    item(2, "In Review"),
    item(3, null),
    { ...item(4, "Todo"), isArchived: true },
    item(5, "Todo", { repository: "acme/other" }),
    item(6, "Todo", { draft: true }),
    item(7, "Todo", { state: "closed" }),
  );
  const numbers = async (...states: string[]) => (await at.tracker.fetchIssuesByStates(states)).map(({ id }) => id);
  assert.deepEqual(await numbers("todo"), ["1"]);
  assert.deepEqual(await numbers("In Review", "No status"), ["2", "3"]);
  assert.deepEqual(await numbers("closed"), ["7"]);
  assert.deepEqual(await numbers(), []);
});

test("more than a hundred items come in order, and a refresh gives the same issues", async () => {
  await using at = projectUnderTest();
  for (let number = 1; number <= 130; number++) at.server.items.push(item(number, "Todo"));
  const listed = await at.tracker.fetchIssuesByStates(["Todo"]);
  assert.equal(listed.length, 130);
  assert.deepEqual(at.server.operations, ["QuireItems", "QuireItems"]);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(listed.map(({ id }) => id)), listed);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(["999"]), []);
  const { nativeRef } = listed[0] ?? {};
  assert.deepEqual(nativeRef, { id: 9_000_001, node_id: "I_1", number: 1, repo: "acme/app", item: "ITEM_1" });
});

test("a state is set in the project, and closed closes the issue", async () => {
  await using at = projectUnderTest();
  at.server.items.push(item(1, "Todo"));
  const current = async () => (await at.tracker.fetchIssuesByIds(["1"]))[0] ?? assert.fail();
  await at.tracker.writer?.setState(await current(), "in review");
  assert.deepEqual([at.server.items[0]?.status, at.server.rest], ["In Review", []]);
  await at.tracker.writer?.setState(await current(), "closed");
  assert.equal((await current()).state, "closed");
  await at.tracker.writer?.setState(await current(), "Todo");
  assert.equal((await current()).state, "Todo");
  await assert.rejects(
    async () => at.tracker.writer?.setState(await current(), "Nowhere"),
    /has no value Nowhere: add it/,
  );
});

test("a project that is not visible is an outage, and a wrong setting names its remedy", async () => {
  await using at = projectUnderTest({ provider: { project: 6 } });
  await assert.rejects(at.tracker.fetchIssuesByStates(["Todo"]), /acme has no project 6.*read:project/);
  await assert.rejects(at.tracker.fetchIssuesByIds(["1"]), { code: "tracker_response" });
  await using other = projectUnderTest({ provider: { status_field: "Stage" } });
  await assert.rejects(other.tracker.fetchIssuesByIds(["1"]), /has no field Stage with values/);
  const env = { GITHUB_TOKEN: "x" };
  assert.throws(() => makeTracker("github_project", { provider: { repo: "a/b" }, env }), {
    code: "invalid_tracker_config",
  });
});
