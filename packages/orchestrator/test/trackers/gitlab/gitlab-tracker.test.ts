import assert from "node:assert/strict";
import { test } from "node:test";
import { gitlabIssue } from "../../support/fake-gitlab-issues.ts";
import { gitlabUnderTest, makeTracker, useTool } from "../../support/tracker-under-test.ts";

const ids = (issues: readonly { readonly id: string }[]) => issues.map(({ id }) => id);
const labels = { Todo: "Q::Todo", Review: "Q::Review" };

test("all pages of a list come in order, and a refresh gives the same issues", async () => {
  await using at = gitlabUnderTest(Array.from({ length: 130 }, (_, index) => gitlabIssue(index + 1)));
  const listed = await at.tracker.fetchIssuesByStates([" Opened "]);
  assert.equal(listed.length, 130);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(ids(listed)), listed);
  const { title, identifier, url, nativeRef } = listed[0] ?? {};
  assert.deepEqual([title, identifier, url], ["Issue 1", "GL-1", "https://gitlab.example/acme/tools/app/-/issues/1"]);
  assert.deepEqual(nativeRef, { id: 5001, iid: 1, project: "acme/tools/app" });
});

test("no states, no ids: no request", async () => {
  await using at = gitlabUnderTest([gitlabIssue(1)]);
  assert.deepEqual(await at.tracker.fetchIssuesByStates([]), []);
  assert.deepEqual(await at.tracker.fetchIssuesByIds([]), []);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(["x", "../1"]), []);
  assert.deepEqual(at.server.requests, []);
});

test("an open issue that blocks another holds it back, also of another project, and the free edition has none", async () => {
  await using at = gitlabUnderTest([gitlabIssue(1), gitlabIssue(2), gitlabIssue(3)]);
  at.server.blockers.set(2, [{ iid: "1", state: "opened", reference: "#1" }]);
  at.server.blockers.set(3, [{ iid: "9", state: "opened", reference: "acme/other#9" }]);
  const found = await at.tracker.fetchIssuesByStates(["opened"]);
  assert.deepEqual(
    found.map(({ dispatchable, blockedBy }) => [dispatchable, blockedBy[0]?.identifier]),
    [
      [true, undefined],
      [false, "GL-1"],
      [false, "acme/other#9"],
    ],
  );
  at.server.hasBlockers = false;
  assert.ok((await at.tracker.fetchIssuesByStates(["opened"])).every(({ dispatchable }) => dispatchable));
});

test("a stranger's issue waits for a label, an assignment or authors: any", async () => {
  const stranger = gitlabIssue(1, { author: { id: 66, username: "eve" } });
  const first = async (setup: Parameters<typeof gitlabUnderTest>[1], issue = stranger) => {
    await using at = gitlabUnderTest([issue], setup);
    return (await at.tracker.fetchIssuesByIds(["1"]))[0]?.dispatchable;
  };
  assert.equal(await first({}), false);
  assert.equal(await first({ provider: { authors: "any" } }), true);
  assert.equal(await first({ requiredLabels: ["agent"] }), true);
  const labelled = gitlabIssue(1, { author: { id: 66 }, labels: ["Q::Todo"] });
  assert.equal(await first({ provider: { state_labels: labels } }, labelled), true);
  assert.equal(await first({ provider: { assignee: "ann" } }), false);
});

test("a state is its label in the case in which GitLab has it, and no other label of a state stays", async () => {
  await using at = gitlabUnderTest([gitlabIssue(1, { labels: ["bug", "Q::Todo"] })], {
    provider: { state_labels: labels },
  });
  const { writer } = at.tracker;
  const current = async () => (await at.tracker.fetchIssuesByIds(["1"]))[0] ?? assert.fail();
  assert.equal((await current()).state, "Todo");
  await writer?.setState(await current(), "review");
  assert.deepEqual(at.server.issues[0]?.labels, ["bug", "Q::Review"]);
  await writer?.setState(await current(), "closed");
  assert.equal((await current()).state, "closed");
  await writer?.setState(await current(), "Todo");
  assert.equal((await current()).state, "Todo");
  await assert.rejects(async () => writer?.setState(await current(), "Nowhere"), /name its label in state_labels/);
});

test("a comment is kept current, and found again where its id was lost in a crash", async () => {
  await using at = gitlabUnderTest([gitlabIssue(1)]);
  at.server.notes.push({ id: 50, body: "<!-- quire: delivery -->\nby a stranger", author: { id: 66 } });
  const [issue] = await at.tracker.fetchIssuesByIds(["1"]);
  assert.ok(issue);
  const id = await at.tracker.writer?.writeNote(issue, "first", null);
  assert.equal(await at.tracker.writer?.writeNote(issue, "second", null), id);
  assert.deepEqual(
    at.server.notes.map(({ body }) => String(body).split("\n")[1]),
    ["by a stranger", "second"],
  );
});

test("an agent changes its own issue, and no line of its comment is a command of GitLab's", async () => {
  await using at = gitlabUnderTest([gitlabIssue(1), gitlabIssue(2)]);
  const [issue] = await at.tracker.fetchIssuesByIds(["1"]);
  assert.ok(issue);
  let changed = 0;
  const tools = at.tracker.tools({ issue, workspace: "/w", changed: () => changed++ });
  const comment = "Done.\n/close\n  /move acme/other\nsee /etc/hosts";
  const { success } = await useTool(tools, "tracker_update", { comment, state: "closed" });
  assert.ok(success);
  assert.equal(at.server.notes[0]?.body, "Done.\n\\/close\n  \\/move acme/other\nsee /etc/hosts");
  assert.deepEqual([at.server.issues[0]?.state, at.server.issues[1]?.state, changed], ["closed", "opened", 1]);
});

test("errors are told apart, and never hold the token", async () => {
  const config = { code: "invalid_tracker_config" };
  assert.throws(() => makeTracker("gitlab", { env: { GITLAB_TOKEN: "x" } }), config);
  assert.throws(
    () => makeTracker("gitlab", { provider: { project: "a/b", authors: "x" }, env: { GITLAB_TOKEN: "x" } }),
    config,
  );
  assert.throws(() => makeTracker("gitlab", { provider: { project: "a/b" } }), { code: "missing_tracker_secret" });
  for (const [response, code] of [
    [() => Response.json({ message: "404 Project Not Found" }, { status: 404 }), "tracker_status"],
    [() => new Response("null"), "tracker_response"],
    [() => new Response("", { status: 429, headers: { "retry-after": "7" } }), "tracker_rate_limited"],
  ] as const) {
    await using at = gitlabUnderTest([gitlabIssue(1)]);
    at.server.faults.push(response);
    await assert.rejects(at.tracker.fetchIssuesByIds(["1"]), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, code);
      assert.doesNotMatch(error.message, /glpat/);
      return true;
    });
  }
});
