/** Section 17.3 of the conformance matrix, one test for each line of it, with all three adapters. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Issue } from "../../src/tracker/issue.ts";
import type { Tracker } from "../../src/tracker/tracker.ts";
import type { TrackerErrorCode } from "../../src/tracker/tracker-error.ts";
import { trackerAdapters } from "../../src/trackers/adapters.ts";
import { githubIssue, problem } from "../support/fake-github.ts";
import { graphqlError, linearIssue } from "../support/fake-linear.ts";
import {
  folderUnderTest,
  githubUnderTest,
  issueFile,
  type LoggedLine,
  linearUnderTest,
  makeTracker,
} from "../support/tracker-under-test.ts";

/** One adapter with the same three issues: two active (the second blocked), one done. */
interface Stage extends AsyncDisposable {
  readonly kind: string;
  readonly tracker: Tracker;
  readonly log: readonly LoggedLine[];
  readonly active: readonly string[];
  /** Requests made to the provider so far; of a folder there are none to count. */
  requests(): number;
}

async function stages(): Promise<Stage[]> {
  const dependencies = { issue_dependencies_summary: { blocked_by: 1 } };
  const github = githubUnderTest([
    githubIssue(1, { labels: [{ name: "Bug" }] }),
    githubIssue(2, dependencies),
    githubIssue(3, { state: "closed" }),
  ]);
  github.server.blockers.set(2, [githubIssue(1)]);
  const relation = { type: "blocks", issue: { id: "uuid-1", identifier: "ENG-1", state: { name: "Todo" } } };
  const linear = linearUnderTest([
    linearIssue(1, { labels: { nodes: [{ name: "Bug" }] }, team: { id: "team", key: "ENG" } }),
    linearIssue(2, { inverseRelations: { nodes: [relation] } }),
    linearIssue(3, { state: { name: "Done" } }),
  ]);
  const folder = await folderUnderTest({
    "1.md": issueFile({ title: "Issue 1", state: "Todo", labels: ["Bug"] }),
    "2.md": issueFile({ title: "Issue 2", state: "Todo", blocked_by: ["1"] }),
    "3.md": issueFile({ title: "Issue 3", state: "Done" }),
  });
  return [
    { ...github, kind: "github", active: ["open"], requests: () => github.server.requests.length },
    { ...linear, kind: "linear", active: ["todo"], requests: () => linear.server.operations.length },
    { ...folder, kind: "folder", active: [" TODO "], requests: () => 0 },
  ];
}

async function forEach(check: (stage: Stage) => Promise<void>): Promise<void> {
  await using all = new AsyncDisposableStack();
  for (const stage of await stages()) {
    all.use(stage);
    await check(stage);
  }
}

const titles = (issues: readonly Issue[]) => issues.map(({ title }) => title);

test("17.3 candidates are those in the active states, within the adapter's own scope", () =>
  forEach(async ({ tracker, active }) => {
    assert.deepEqual(titles(await tracker.fetchIssuesByStates(active)), ["Issue 1", "Issue 2"]);
  }));

test("17.3 no states give no issues, without a call to the provider", () =>
  forEach(async ({ tracker, requests }) => {
    assert.deepEqual(await tracker.fetchIssuesByStates([]), []);
    assert.equal(requests(), 0);
  }));

test("17.3 no ids give no issues, without a call to the provider", () =>
  forEach(async ({ tracker, requests }) => {
    assert.deepEqual(await tracker.fetchIssuesByIds([]), []);
    assert.equal(requests(), 0);
  }));

test("17.3 paging keeps the order over several pages", async () => {
  const numbers = Array.from({ length: 230 }, (_, index) => index + 1);
  await using github = githubUnderTest(numbers.map((number) => githubIssue(number)));
  await using linear = linearUnderTest(numbers.map((number) => linearIssue(number)));
  for (const { tracker, states } of [
    { tracker: github.tracker, states: ["open"] },
    { tracker: linear.tracker, states: ["Todo"] },
  ]) {
    assert.deepEqual(
      titles(await tracker.fetchIssuesByStates(states)),
      numbers.map((number) => `Issue ${number}`),
    );
  }
  assert.equal(github.server.requests.length, 3);
  assert.equal(linear.server.operations.length, 5);
});

test("17.3 labels are in lower case", () =>
  forEach(async ({ tracker, active }) => {
    const [issue] = await tracker.fetchIssuesByStates(active);
    assert.deepEqual(issue?.labels, ["bug"]);
  }));

test("17.3 unusable optional metadata becomes null or empty and hides nothing that is required", async () => {
  const junk = {
    body: 5,
    labels: "x",
    assignee: [],
    assignees: 7,
    created_at: "soon",
    updated_at: 5,
    html_url: {},
    issue_dependencies_summary: "x",
  };
  await using github = githubUnderTest([githubIssue(1, junk)]);
  const other = {
    description: 5,
    priority: "high",
    labels: null,
    assignee: "x",
    inverseRelations: [],
    createdAt: "soon",
    updatedAt: null,
    url: 1,
    branchName: {},
    team: 3,
  };
  await using linear = linearUnderTest([linearIssue(1, other)]);
  const front = {
    title: "Issue 1",
    state: "Todo",
    priority: "high",
    labels: { a: 1 },
    url: 5,
    created_at: "soon",
    updated_at: [],
    assignee: 7,
  };
  await using folder = await folderUnderTest({ "1.md": issueFile(front) });
  for (const { tracker, states } of [
    { tracker: github.tracker, states: ["open"] },
    { tracker: linear.tracker, states: ["Todo"] },
    { tracker: folder.tracker, states: ["Todo"] },
  ]) {
    const [issue] = await tracker.fetchIssuesByStates(states);
    const { kind } = tracker.profile;
    assert.equal(issue?.title, "Issue 1", kind);
    assert.deepEqual(
      { ...issue, updatedAt: null },
      {
        ...{
          id: issue?.id,
          nativeRef: issue?.nativeRef,
          identifier: issue?.identifier,
          title: "Issue 1",
          state: issue?.state,
        },
        ...{
          description: null,
          priority: null,
          branchName: null,
          url: null,
          assigneeId: null,
          labels: [],
          blockedBy: [],
        },
        ...{ dispatchable: true, createdAt: null, updatedAt: null },
      },
      kind,
    );
  }
});

test("17.3 a list logs the malformed records that it leaves out; a refresh by id fails on them", async () => {
  await using github = githubUnderTest([githubIssue(1), githubIssue(2, { title: " " })]);
  await using linear = linearUnderTest([linearIssue(1), linearIssue(2, { identifier: null })]);
  await using folder = await folderUnderTest({
    "1.md": issueFile({ title: "A", state: "Todo" }),
    "2.md": "no front matter",
  });
  for (const { tracker, log, states, bad } of [
    { ...github, states: ["open"], bad: "2" },
    { ...linear, states: ["Todo"], bad: "uuid-2" },
    { ...folder, states: ["Todo"], bad: "2" },
  ]) {
    assert.equal((await tracker.fetchIssuesByStates(states)).length, 1);
    assert.deepEqual(
      log.map(({ level, fields }) => [level, fields.count]),
      [["warn", 1]],
    );
    await assert.rejects(tracker.fetchIssuesByIds([bad]), { code: "tracker_response" });
  }
});

test("17.3 a refresh by the opaque id gives whole issues, as the list does", () =>
  forEach(async ({ tracker, active }) => {
    const listed = await tracker.fetchIssuesByStates(active);
    const ids = listed.map(({ id }) => id);
    const refreshed = await tracker.fetchIssuesByIds([...ids, ...ids, "999999"]);
    assert.deepEqual(refreshed, listed);
  }));

test("17.3 ids of the provider that differ from the dispatch id are kept in native_ref", () =>
  forEach(async ({ kind, tracker, active }) => {
    const [issue] = await tracker.fetchIssuesByStates(active);
    const expected: Record<string, unknown> = {
      github: { id: 9_000_001, node_id: "I_1", number: 1, repo: "acme/app" },
      linear: { team_id: "team", team_key: "ENG" },
      folder: { path: "1.md" },
    };
    assert.deepEqual(issue?.nativeRef, expected[kind]);
  }));

test("17.3 the provider's rules on routing, blockers and assignment become `dispatchable`", async () => {
  await forEach(async ({ tracker, active }) => {
    const issues = await tracker.fetchIssuesByStates(active);
    assert.deepEqual(
      issues.map(({ dispatchable }) => dispatchable),
      [true, false],
    );
  });
  await using github = githubUnderTest([githubIssue(1)], { provider: { assignee: "ann" } });
  await using linear = linearUnderTest([linearIssue(1)], { provider: { assignee: "user-1" } });
  await using folder = await folderUnderTest(
    { "1.md": issueFile({ title: "A", state: "Todo" }) },
    { provider: { assignee: "ann" } },
  );
  for (const { tracker } of [github, linear, folder]) {
    const [issue] = await tracker.fetchIssuesByStates(["open", "Todo"]);
    assert.equal(issue?.dispatchable, false, tracker.profile.kind);
  }
});

test("17.3 each adapter publishes its profile: settings, scope, normalization, tools and errors", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/orchestrator.md"), "utf8");
  for (const [kind, { profile }] of Object.entries(trackerAdapters)) {
    assert.equal(profile.kind, kind);
    for (const text of [profile.title, profile.ids, profile.dispatchable]) assert.notEqual(text, "");
    assert.ok((profile.defaultActiveStates?.length ?? 0) > 0 && (profile.defaultTerminalStates?.length ?? 0) > 0);
    const [, section] = page.split(`### \`${kind}\``);
    assert.ok(section, `docs/orchestrator.md has no section about ${kind}`);
    for (const tool of profile.tools) assert.ok(section.includes(`\`${tool}\``), tool);
    for (const word of ["Scope", "Pages", "Identity", "Normalization", "Dispatchable", "Malformed", "Errors"]) {
      assert.ok(section.includes(`| ${word} |`), `${kind}: ${word}`);
    }
  }
});

test("17.3 errors are told apart: settings, secrets, request, status, payload, pages and limits", async () => {
  const seen = new Set<TrackerErrorCode>();
  const fails = async (work: () => unknown, code: TrackerErrorCode) => {
    await assert.rejects(
      async () => work(),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, code);
        assert.match(error.message, /\w{3,} .*\w{3,}/);
        return true;
      },
    );
    seen.add(code);
  };
  await fails(() => makeTracker("github", { env: { GITHUB_TOKEN: "x" } }), "invalid_tracker_config");
  await fails(() => makeTracker("linear", { env: { LINEAR_API_KEY: "x" } }), "invalid_tracker_config");
  await fails(() => makeTracker("folder", { provider: { states: "x" } }), "invalid_tracker_config");
  await fails(() => makeTracker("github", { provider: { repo: "a/b" } }), "missing_tracker_secret");
  await fails(() => makeTracker("linear", { provider: { team_key: "A" } }), "missing_tracker_secret");
  await fails(() => makeTracker("folder").tracker.fetchIssuesByStates(["x"]), "tracker_request");
  const link = (url: string) => ({
    headers: { link: `<${url}/repos/acme/app/issues?state=open&per_page=100&sort=created&direction=asc>; rel="next"` },
  });
  for (const [response, code] of [
    [() => problem(500, "Oops"), "tracker_status"],
    [() => new Response("<html>"), "tracker_response"],
    [(url: string) => Response.json([], link(url)), "tracker_pagination"],
    [() => problem(429, "Slow down"), "tracker_rate_limited"],
  ] as const) {
    await using github = githubUnderTest();
    github.server.faults.push({ response: () => response(github.server.url) });
    await fails(() => github.tracker.fetchIssuesByStates(["open"]), code);
  }
  for (const [fault, code] of [
    [() => new Response("", { status: 502 }), "tracker_status"],
    [() => Response.json({ data: {} }), "tracker_response"],
    [() => Response.json({ data: { issues: { nodes: [], pageInfo: { hasNextPage: true } } } }), "tracker_pagination"],
    [() => graphqlError(400, "Slow down", "RATELIMITED"), "tracker_rate_limited"],
  ] as const) {
    await using linear = linearUnderTest();
    linear.server.faults.push(fault);
    await fails(() => linear.tracker.fetchIssuesByStates(["Todo"]), code);
  }
  assert.equal(seen.size, 7);
});
