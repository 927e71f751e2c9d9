import assert from "node:assert/strict";
import { test } from "node:test";
import { batchLookups } from "../../../src/tracker/batch-lookups.ts";
import { RequestBudget } from "../../../src/trackers/remote/request-budget.ts";
import { githubIssue, problem } from "../../support/fake-github.ts";
import { githubUnderTest } from "../../support/tracker-under-test.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => githubIssue(index + 1));
const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

test("sixty issues are refreshed by two requests", async () => {
  await using stage = githubUnderTest(many(60));
  const found = await stage.tracker.fetchIssuesByIds(ids(60));
  assert.equal(found.length, 60);
  assert.equal(stage.server.requests.length, 2);
  const [listed] = await stage.tracker.fetchIssuesByStates(["open"]);
  assert.deepEqual(found[0], listed, "by either way an issue is the same");
});

test("a repository that is not visible any more is an outage, not the end of its issues", async () => {
  const gone = () => problem(404, "Not Found");
  for (const asked of [["1"], ["1", "2"]]) {
    await using stage = githubUnderTest(many(2));
    stage.server.faults.push(
      { path: /issues\/1$/, response: gone },
      { path: /repos\/acme\/app$/, response: gone },
      {
        path: /graphql$/,
        response: () =>
          Response.json({ data: { repository: null }, errors: [{ type: "NOT_FOUND", path: ["repository"] }] }),
      },
    );
    await assert.rejects(stage.tracker.fetchIssuesByIds(asked), { name: "TrackerError" }, asked.join());
  }
});

test("an answer that is null is an outage, not an issue that is gone", async () => {
  for (const asked of [["1"], ["1", "2"]]) {
    await using stage = githubUnderTest(many(2));
    stage.server.faults.push({ response: () => new Response("null") });
    await assert.rejects(stage.tracker.fetchIssuesByIds(asked), { code: "tracker_response" });
  }
});

test("issues of a repository whose issues were switched off are unknown, not gone", async () => {
  await using stage = githubUnderTest(many(1));
  stage.server.faults.push(
    { path: /issues\/1$/, response: () => problem(410, "Issues are disabled for this repo") },
    { path: /repos\/acme\/app$/, response: () => Response.json({ has_issues: false }) },
  );
  await assert.rejects(stage.tracker.fetchIssuesByIds(["1"]), /has no issues: enable them/);
});

test("a GitHub that lacks a field is asked for each issue", async () => {
  await using stage = githubUnderTest(many(3));
  const error = { message: "Field 'issueDependenciesSummary' doesn't exist", extensions: { code: "undefinedField" } };
  stage.server.faults.push({ path: /graphql$/, response: () => Response.json({ errors: [error] }) });
  assert.equal((await stage.tracker.fetchIssuesByIds(ids(3))).length, 3);
  assert.equal((await stage.tracker.fetchIssuesByIds(ids(3))).length, 3);
  assert.equal(stage.server.requests.filter(({ path }) => path === "/graphql").length, 1);
});

test("a list that is as it was is not sent again", async () => {
  await using stage = githubUnderTest(many(150));
  const first = await stage.tracker.fetchIssuesByStates(["open"]);
  assert.deepEqual(await stage.tracker.fetchIssuesByStates(["open"]), first);
  assert.equal(stage.server.requests.filter(({ headers }) => headers.has("if-none-match")).length, 2);
  stage.server.issues.splice(0, 1);
  assert.equal((await stage.tracker.fetchIssuesByStates(["open"])).length, 149);
});

test("no more requests are sent in an hour than the workflow allows", async () => {
  await using stage = githubUnderTest(many(1), { provider: { requests_per_hour: 2 } });
  await stage.tracker.fetchIssuesByIds(["1"]);
  // One that is as it was is not counted.
  await stage.tracker.fetchIssuesByIds(["1"]);
  stage.server.issues.splice(0, 1, githubIssue(1, { title: "Another" }));
  await stage.tracker.fetchIssuesByIds(["1"]);
  await assert.rejects(stage.tracker.fetchIssuesByIds(["1"]), { code: "tracker_rate_limited", retryAfterMs: 60_000 });
  assert.equal(stage.server.requests.length, 3);
});

test("the hour of a budget moves on", () => {
  let now = 0;
  const budget = new RequestBudget("X", 2, () => now);
  budget.take();
  now += 1_800_000;
  budget.take();
  assert.throws(() => budget.take(), { code: "tracker_rate_limited" });
  now += 1_800_000;
  budget.take();
  assert.throws(() => budget.take());
  now += 7_200_000;
  budget.take();
});

test("what is asked for while issues are fetched is fetched by one request, and one that fails does not fail the others", async () => {
  await using stage = githubUnderTest(many(9));
  const tracker = batchLookups(stage.tracker);
  const found = await Promise.all(ids(9).map((id) => tracker.fetchIssuesByIds([id])));
  assert.deepEqual(
    found.map(([issue]) => issue?.id),
    ids(9),
  );
  assert.equal(stage.server.requests.length, 2);
  stage.server.issues.splice(3, 1, githubIssue(4, { title: " " }));
  const results = await Promise.allSettled(ids(9).map((id) => tracker.fetchIssuesByIds([id])));
  assert.deepEqual(
    results.flatMap(({ status }, index) => (status === "rejected" ? [index + 1] : [])),
    [4],
  );
});
