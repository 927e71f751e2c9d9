import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeKey, graphqlError, linearIssue } from "../../support/fake-linear.ts";
import { linearUnderTest, makeTracker, useTool } from "../../support/tracker-under-test.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => linearIssue(index + 1));

test("an issue keeps everything that Linear tells of it", async () => {
  const record = linearIssue(7, {
    labels: { nodes: [{ name: "Bug" }, { name: " bug " }, { name: "" }] },
    assignee: { id: "user-1" },
    team: { id: "team-1", key: "ENG" },
    project: { id: "project-1", slugId: "app-123" },
  });
  await using stage = linearUnderTest([record]);
  assert.deepEqual(await stage.tracker.fetchIssuesByStates(["todo"]), [
    {
      id: "uuid-7",
      nativeRef: { team_id: "team-1", team_key: "ENG", project_id: "project-1" },
      identifier: "ENG-7",
      title: "Issue 7",
      description: "Body of 7",
      priority: 2,
      state: "Todo",
      branchName: "eng-7-issue",
      url: "https://linear.example/acme/issue/ENG-7",
      assigneeId: "user-1",
      labels: ["bug"],
      blockedBy: [],
      dispatchable: true,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-02-01T00:00:00.000Z",
    },
  ]);
  const [operation] = stage.server.operations;
  assert.equal(operation?.headers.get("authorization"), fakeKey);
  assert.deepEqual(operation?.variables.filter, {
    project: { slugId: { eq: "app-123" } },
    or: [{ state: { name: { eqIgnoreCase: "todo" } } }],
  });
});

test("120 issues come in three pages, in order, and all or none", async () => {
  await using stage = linearUnderTest(many(120));
  const issues = await stage.tracker.fetchIssuesByStates(["Todo"]);
  assert.deepEqual(
    issues.map(({ identifier }) => identifier),
    many(120).map(({ identifier }) => identifier),
  );
  assert.deepEqual(
    stage.server.operations.map(({ variables }) => variables.after),
    [null, "cursor-50", "cursor-100"],
  );
  const wanted = issues.map(({ id }) => id);
  assert.equal((await stage.tracker.fetchIssuesByIds(wanted)).length, 120);
  const page =
    (info: unknown, nodes: unknown[] = []) =>
    () =>
      Response.json({ data: { issues: { nodes, pageInfo: info } } });
  const first = page({ hasNextPage: true, endCursor: "c" }, many(1));
  for (const [second, code] of [
    [() => new Response("down", { status: 503 }), "tracker_status"],
    [page({ hasNextPage: true, endCursor: "c" }), "tracker_pagination"],
    [page({ hasNextPage: true, endCursor: null }), "tracker_pagination"],
    [page(undefined), "tracker_pagination"],
    [() => Response.json({ data: { issues: null } }), "tracker_response"],
    [() => Response.json({ data: { issues: { nodes: [] } }, errors: [{ message: "partly" }] }), "tracker_response"],
  ] as const) {
    stage.server.faults.push(first, second);
    await assert.rejects(stage.tracker.fetchIssuesByStates(["Todo"]), { code });
    assert.equal(stage.server.faults.length, 0);
  }
});

test("blockers hold an issue back before work on it has begun", async () => {
  const blockedBy = (type: string, state: string | null) => ({
    inverseRelations: { nodes: [{ type, issue: { id: "b", identifier: "ENG-99", state: state && { name: state } } }] },
  });
  await using stage = linearUnderTest([
    linearIssue(1, blockedBy("blocks", "In Progress")),
    linearIssue(2, blockedBy("blocks", "done")),
    linearIssue(3, blockedBy("related", "In Progress")),
    linearIssue(4, { state: { name: "In Progress" }, ...blockedBy("blocks", "In Progress") }),
    linearIssue(5, blockedBy("blocks", null)),
    linearIssue(6, { inverseRelations: { nodes: [], pageInfo: { hasNextPage: true } } }),
  ]);
  const issues = await stage.tracker.fetchIssuesByStates(["Todo", "In Progress"]);
  assert.deepEqual(
    issues.map(({ dispatchable }) => dispatchable),
    [false, true, true, true, false, false],
  );
  assert.deepEqual(issues[0]?.blockedBy, [{ id: "b", identifier: "ENG-99", state: "In Progress" }]);
  assert.deepEqual(issues[2]?.blockedBy, []);
});

test("with an assignee only that user's issues are worked on, and `me` is asked for once", async () => {
  const issues = [linearIssue(1, { assignee: { id: "user-me" } }), linearIssue(2, { assignee: { id: "other" } })];
  await using stage = linearUnderTest(issues, { provider: { assignee: "me" } });
  stage.server.faults.push(() => new Response("down", { status: 500 }));
  await assert.rejects(stage.tracker.fetchIssuesByStates(["Todo"]), { code: "tracker_status" });
  for (let poll = 0; poll < 2; poll++) {
    const found = await stage.tracker.fetchIssuesByStates(["Todo"]);
    assert.deepEqual(
      found.map(({ dispatchable }) => dispatchable),
      [true, false],
    );
  }
  assert.equal(stage.server.operations.filter(({ query }) => query.includes("viewer")).length, 2);
});

test("a rate limit is told with its time, and nothing is asked until then", async () => {
  const reset = { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": String(Date.now() + 120_000) };
  const kinds: (() => Response)[] = [
    () => graphqlError(400, "Rate limit exceeded", "RATELIMITED", reset),
    () => graphqlError(400, "Rate limit exceeded", "RATELIMITED"),
    () => new Response("slow down", { status: 429, headers: { "retry-after": "90" } }),
  ];
  for (const fault of kinds) {
    await using stage = linearUnderTest(many(1));
    stage.server.faults.push(fault);
    for (let attempt = 0; attempt < 3; attempt++) {
      await assert.rejects(
        stage.tracker.fetchIssuesByIds(["uuid-1"]),
        (error: Error & { retryAfterMs?: number; code?: string }) => {
          assert.equal(error.code, "tracker_rate_limited");
          assert.ok(
            (error.retryAfterMs ?? 0) > 30_000 && (error.retryAfterMs ?? 0) <= 120_000,
            String(error.retryAfterMs),
          );
          return true;
        },
      );
    }
    assert.equal(stage.server.operations.length, 1);
  }
});

test("settings that cannot work are refused before any request", async () => {
  const create = (provider: Record<string, unknown>, env: Record<string, string> = { LINEAR_API_KEY: "k" }) => {
    return () => makeTracker("linear", { provider, env });
  };
  assert.throws(create({}), { code: "invalid_tracker_config", message: /project_slug .* or team_key/ });
  assert.throws(create({ team_key: "ENG", endpoint: "ftp://x" }), { code: "invalid_tracker_config" });
  assert.throws(create({ project_slug: 5 }), { code: "invalid_tracker_config", message: /must be text/ });
  assert.throws(create({ team_key: "ENG" }, {}), { code: "missing_tracker_secret", message: /LINEAR_API_KEY/ });
  assert.throws(create({ team_key: "ENG", api_key: "$K" }, { K: "" }), {
    code: "missing_tracker_secret",
    message: / K,/,
  });
  const { tracker } = makeTracker("linear", { provider: { team_key: "ENG", api_key: "$K" }, env: { K: "k" } });
  assert.deepEqual(tracker.secretEnvNames, ["LINEAR_API_KEY", "K"]);
  await using wrong = linearUnderTest([], { provider: { api_key: "literal" } });
  await assert.rejects(wrong.tracker.fetchIssuesByStates(["Todo"]), {
    code: "tracker_status",
    status: 401,
    message: /make a new one/,
  });
});

test("linear_graphql acts with the host's credential, and tells errors as Linear does", async () => {
  await using stage = linearUnderTest(many(1));
  const [issue] = await stage.tracker.fetchIssuesByIds(["uuid-1"]);
  assert.ok(issue);
  const tools = stage.tracker.tools({ issue, workspace: "/w" });
  const query = "mutation Move($id: String!) { issueUpdate(id: $id, input: {}) { success } }";
  const good = await useTool(tools, "linear_graphql", { query, variables: { id: "uuid-1" } });
  assert.deepEqual([good.success, JSON.parse(good.text)], [true, { data: { issueUpdate: { success: true } } }]);
  assert.deepEqual(stage.server.operations.at(-1)?.variables, { id: "uuid-1" });
  stage.server.faults.push(() => graphqlError(400, `Syntax Error near ${fakeKey}`, "GRAPHQL_PARSE_FAILED"));
  const bad = await useTool(tools, "linear_graphql", { query: "{ viewer { idd } }" });
  assert.equal(bad.success, false);
  assert.equal(JSON.parse(bad.text).errors[0].extensions.code, "GRAPHQL_PARSE_FAILED");
  assert.ok(!bad.text.includes(fakeKey));
  for (const input of [{}, { query: " " }, { query: "{ viewer { id } }", variables: [] }]) {
    assert.equal((await useTool(tools, "linear_graphql", input)).success, false);
  }
  const other = await useTool(tools, "github_api", { method: "GET", path: "/" });
  assert.match(other.text, /Unsupported dynamic tool "github_api": supported are linear_graphql/);
});

test("linear_graphql changes only the issue of its run, unless the workflow says more", async () => {
  const other = 'mutation { issueUpdate(id: "uuid-2", input: {}) { success } }';
  const refused: readonly (readonly [query: string, variables?: object])[] = [
    [other],
    ["mutation ($id: String!) { issueUpdate(id: $id, input: {}) { success } }", { id: "uuid-2" }],
    ['mutation ($id: String = "uuid-2") { issueUpdate(id: $id, input: {}) { success } }'],
    [
      'mutation { a: issueUpdate(id: "uuid-1", input: {}) { success } b: issueUpdate(id: "uuid-2", input: {}) { success } }',
    ],
    ['mutation { issueUpdate: issueDelete(id: "uuid-1") { success } }'],
    ['mutation { ...F } fragment F on Mutation { issueDelete(id: "uuid-2") { success } }'],
    ['mutation { ... on Mutation { issueDelete(id: "uuid-2") { success } } }'],
    ['query Q { viewer { id } } mutation M { issueDelete(id: "uuid-2") { success } }'],
    ['{ viewer { id } } mutation { issueDelete(id: "uuid-2") { success } }'],
    ['# {\nmutation { issueDelete(id: "uuid-2") { success } }'],
    ['mutation { issueUpdate(id: """uuid-1""", input: {}) { success } }'],
    ['mutation { commentCreate(input: {issueId: "uuid-2", body: "issueId: \\"uuid-1\\""}) { success } }'],
    ["mutation { constructor }"],
    ["subscription { issue { id } }"],
  ];
  await using stage = linearUnderTest(many(2));
  const [issue] = await stage.tracker.fetchIssuesByIds(["uuid-1"]);
  assert.ok(issue);
  const tools = stage.tracker.tools({ issue, workspace: "/w" });
  const before = stage.server.operations.length;
  for (const [query, variables = {}] of refused) {
    assert.equal((await useTool(tools, "linear_graphql", { query, variables })).success, false, query);
  }
  assert.equal(stage.server.operations.length, before, "nothing was sent");
  const own: readonly (readonly [query: string, variables?: object])[] = [
    [
      'mutation M($body: String = "}") @x(y: {z: 1}) { commentCreate(input: {issueId: "uuid-1", body: $body}) { success } }',
    ],
    [
      "mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }",
      { input: { issueId: "uuid-1" } },
    ],
    ["query ($q: String) { searchIssues(term: $q) { nodes { id } } } fragment F on Issue { id }"],
  ];
  for (const [query, variables = {}] of own) {
    stage.server.faults.push(() => Response.json({ data: {} }));
    const { success, text } = await useTool(tools, "linear_graphql", { query, variables });
    assert.ok(success, text);
  }
  await using wide = linearUnderTest(many(1), { provider: { tool_scope: "any" } });
  wide.server.faults.push(() => Response.json({ data: {} }));
  const all = wide.tracker.tools({ issue, workspace: "/w" });
  assert.ok((await useTool(all, "linear_graphql", { query: other })).success);
});
