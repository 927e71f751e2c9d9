import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeToken, githubIssue, problem } from "../../support/fake-github.ts";
import { githubUnderTest, makeTracker, type TrackerSetup, useTool } from "../../support/tracker-under-test.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => githubIssue(index + 1));
const soon = () => String(Math.floor(Date.now() / 1000) + 120);

test("an issue keeps everything that GitHub tells of it", async () => {
  const record = githubIssue(7, {
    title: "Log in",
    labels: [{ name: "Bug" }, { name: "P1" }, "bug"],
    assignee: { login: "ann" },
    assignees: [{ login: "ann" }, { login: "bob" }],
  });
  await using stage = githubUnderTest([record], { provider: { priority_labels: { p1: 1, p2: 2 }, assignee: "BOB" } });
  assert.deepEqual(await stage.tracker.fetchIssuesByStates(["open"]), [
    {
      id: "7",
      nativeRef: { id: 9_000_007, node_id: "I_7", number: 7, repo: "acme/app" },
      identifier: "GH-7",
      title: "Log in",
      description: "Body of 7",
      priority: 1,
      state: "open",
      branchName: null,
      url: "https://github.example/acme/app/issues/7",
      assigneeId: "ann",
      labels: ["bug", "p1"],
      blockedBy: [],
      dispatchable: true,
      createdAt: "2026-01-01T00:07:00.000Z",
      updatedAt: "2026-02-01T00:00:00.000Z",
    },
  ]);
  const [request] = stage.server.requests;
  assert.equal(request?.headers.get("accept"), "application/vnd.github+json");
  assert.equal(request?.headers.get("x-github-api-version"), "2022-11-28");
  assert.equal(request?.query.toString(), "state=open&per_page=100&sort=created&direction=asc");
});

test("250 issues come in three pages, in order", async () => {
  await using stage = githubUnderTest(many(250));
  const issues = await stage.tracker.fetchIssuesByStates(["open"]);
  assert.deepEqual(
    issues.map(({ id }) => Number(id)),
    Array.from({ length: 250 }, (_, index) => index + 1),
  );
  assert.equal(stage.server.requests.length, 3);
});

test("a page that fails fails the whole list", async () => {
  await using stage = githubUnderTest(many(150));
  stage.server.faults.push({ path: /[?&]page=2/, response: () => problem(502, "Bad Gateway") });
  await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), { code: "tracker_status", status: 502 });
  assert.equal(stage.server.requests.length, 2);
});

test("pages that lead elsewhere or back are refused, and the credential goes nowhere else", async () => {
  await using stage = githubUnderTest(many(1));
  await using other = githubUnderTest(many(1));
  const leadsTo = (url: string) => () => Response.json([], { headers: { link: `<${url}>; rel="next"` } });
  stage.server.faults.push({ response: leadsTo(`${other.server.url}/repos/acme/app/issues`) });
  await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), {
    code: "tracker_pagination",
    message: /is on another host/,
  });
  assert.equal(other.server.requests.length, 0);
  const round = `${stage.server.url}/repos/acme/app/issues?page=2`;
  stage.server.faults.push({ response: leadsTo(round) }, { response: leadsTo(round) });
  await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), {
    code: "tracker_pagination",
    message: /loops back/,
  });
});

test("labels become states, in the order of the workflow; closed stays closed", async () => {
  const label = (...names: string[]) => ({ labels: names.map((name) => ({ name })) });
  const issues = [
    githubIssue(1, label("status/Todo")),
    githubIssue(2, label("status/doing", "status/todo")),
    githubIssue(3),
    githubIssue(4, { state: "closed", ...label("status/todo") }),
  ];
  const state_labels = { Todo: "status/todo", "In Progress": "status/doing" };
  await using stage = githubUnderTest(issues, { provider: { state_labels } });
  const states = async (...names: string[]) =>
    (await stage.tracker.fetchIssuesByStates(names)).map(({ id, state }) => `${id} ${state}`);
  assert.deepEqual(await states("todo"), ["1 Todo", "2 Todo"]);
  assert.equal(stage.server.requests[0]?.query.get("labels"), "status/todo");
  assert.deepEqual(await states("In Progress", "open"), ["3 open"]);
  assert.deepEqual(await states("todo", "closed"), ["1 Todo", "2 Todo", "4 closed"]);
  assert.deepEqual(await states("unknown"), []);
  assert.equal(stage.server.requests.length, 3);
});

test("what blocks an issue is asked for only where GitHub counts it, and holds it back", async () => {
  const summary = { issue_dependencies_summary: { blocked_by: 1, total_blocked_by: 2 } };
  await using stage = githubUnderTest([githubIssue(1), githubIssue(2, summary)]);
  stage.server.blockers.set(2, [
    githubIssue(1, { repository_url: "https://api.github.com/repos/Acme/App" }),
    githubIssue(9, { state: "closed", repository_url: "https://api.github.com/repos/acme/lib" }),
  ]);
  const issues = await stage.tracker.fetchIssuesByStates(["open"]);
  assert.deepEqual(
    issues.map(({ dispatchable }) => dispatchable),
    [true, false],
  );
  assert.deepEqual(issues[1]?.blockedBy, [
    { id: "1", identifier: "GH-1", state: "open" },
    { id: null, identifier: "acme/lib#9", state: "closed" },
  ]);
  assert.equal(stage.server.requests.length, 2);
});

test("a stranger's issue waits for a label or an assignment, unless the workflow says otherwise", async () => {
  const stranger = { author_association: "CONTRIBUTOR" };
  const todo = { ...stranger, labels: [{ name: "todo" }] };
  const issues = [
    githubIssue(1),
    githubIssue(2, stranger),
    githubIssue(3, { author_association: null }),
    githubIssue(4, todo),
  ];
  const dispatchable = async (setup: TrackerSetup) => {
    await using stage = githubUnderTest(issues, setup);
    const found = await stage.tracker.fetchIssuesByIds(["1", "2", "3", "4"]);
    return found.filter((issue) => issue.dispatchable).map(({ id }) => id);
  };
  assert.deepEqual(await dispatchable({}), ["1"]);
  assert.deepEqual(await dispatchable({ provider: { state_labels: { Todo: "todo" } } }), ["1", "4"]);
  assert.deepEqual(
    await dispatchable({ requiredLabels: ["todo"] }),
    ["1", "2", "3", "4"],
    "the label itself is looked at later",
  );
  assert.deepEqual(await dispatchable({ provider: { authors: "any" } }), ["1", "2", "3", "4"]);
  assert.deepEqual(await dispatchable({ provider: { assignee: "me" } }), []);
  assert.throws(() => githubUnderTest([], { provider: { authors: "all" } }), { code: "invalid_tracker_config" });
});

test("pull requests are never worked on", async () => {
  await using stage = githubUnderTest([githubIssue(1, { pull_request: { url: "x" } })]);
  const [issue] = await stage.tracker.fetchIssuesByStates(["open"]);
  assert.equal(issue?.dispatchable, false);
});

test("issues that are gone or were moved to another repository are not visible any more", async () => {
  await using stage = githubUnderTest([githubIssue(1)]);
  stage.server.faults.push(
    { path: /issues\/2$/, response: () => problem(301, "Moved", { location: `${stage.server.url}/elsewhere` }) },
    { path: /issues\/3$/, response: () => problem(410, "This issue was deleted") },
  );
  for (const id of ["2", "3", "4", "x", "../1"]) assert.deepEqual(await stage.tracker.fetchIssuesByIds([id]), [], id);
  const issues = await stage.tracker.fetchIssuesByIds(["1", "2", "3", "4", "1", "x", "../1"]);
  assert.deepEqual(
    issues.map(({ id }) => id),
    ["1"],
  );
});

test("a rate limit is told with its time, and nothing is asked until then", async () => {
  const exhausted = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": soon() };
  const kinds: (() => Response)[] = [
    () => problem(403, "API rate limit exceeded", exhausted),
    () => problem(429, "Too many requests", { "retry-after": "90" }),
    () => problem(403, "You have exceeded a secondary rate limit"),
  ];
  for (const response of kinds) {
    await using stage = githubUnderTest(many(1));
    stage.server.faults.push({ response });
    for (let attempt = 0; attempt < 3; attempt++) {
      await assert.rejects(
        stage.tracker.fetchIssuesByStates(["open"]),
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
    assert.equal(stage.server.requests.length, 1);
  }
});

test("a missing permission is no rate limit, and each status names its remedy", async () => {
  for (const [status, message, remedy] of [
    [401, "Bad credentials", /make a new one/],
    [403, "Resource not accessible by personal access token", /access to the repository's issues/],
    [404, "Not Found", /Check tracker\.provider\.repo/],
    [500, "Oops", /next poll will retry/],
  ] as const) {
    await using stage = githubUnderTest();
    stage.server.faults.push({ response: () => problem(status, message, { "x-ratelimit-remaining": "4000" }) });
    await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), {
      code: "tracker_status",
      status,
      message: remedy,
    });
  }
});

test("answers that cannot be understood, and no answer at all, are told apart", async () => {
  const stage = githubUnderTest();
  stage.server.faults.push({ response: () => new Response("<html>") }, { response: () => Response.json({ a: 1 }) });
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), { code: "tracker_response" });
  }
  await stage[Symbol.asyncDispose]();
  await assert.rejects(stage.tracker.fetchIssuesByStates(["open"]), {
    code: "tracker_request",
    message: /could not be reached/,
  });
});

test("settings that cannot work are refused before any request", () => {
  const create = (provider: Record<string, unknown>, env: Record<string, string> = { GITHUB_TOKEN: "t" }) => {
    return () => makeTracker("github", { provider, env });
  };
  const config = { code: "invalid_tracker_config" };
  assert.throws(create({}), { ...config, message: /repo is missing/ });
  for (const repo of ["acme", "a/b/c", "a/..", "../b", "a b/c"]) assert.throws(create({ repo }), config);
  assert.throws(create({ repo: "a/b", api_url: "http://example.org" }), { ...config, message: /https/ });
  assert.throws(create({ repo: "a/b", state_labels: ["x"] }), config);
  assert.throws(create({ repo: "a/b", state_labels: { Open: "x" } }), {
    ...config,
    message: /a state of the tracker's own/,
  });
  assert.throws(create({ repo: "a/b", priority_labels: { p1: "high" } }), config);
  assert.throws(create({ repo: "a/b", tool_scope: "all" }), config);
  const secret = { code: "missing_tracker_secret" };
  assert.throws(create({ repo: "a/b" }, {}), { ...secret, message: /GITHUB_TOKEN/ });
  assert.throws(create({ repo: "a/b", token: "$MINE" }, { MINE: " ", GITHUB_TOKEN: "t" }), {
    ...secret,
    message: /MINE/,
  });
  const { tracker } = makeTracker("github", { provider: { repo: "$R", token: "$MINE" }, env: { R: "a/b", MINE: "t" } });
  assert.deepEqual(tracker.secretEnvNames, ["GITHUB_TOKEN", "GH_TOKEN", "MINE"]);
});

test("github_api acts with the host's credential, which the agent never sees", async () => {
  await using stage = githubUnderTest(many(2));
  const [issue] = await stage.tracker.fetchIssuesByIds(["1"]);
  assert.ok(issue);
  const tools = stage.tracker.tools({ issue, workspace: "/w" });
  const path = "/repos/acme/app/issues/1";
  const closed = await useTool(tools, "github_api", { method: "PATCH", path, body: { state: "closed" } });
  assert.ok(closed.success, closed.text);
  assert.equal(JSON.parse(closed.text).body.state, "closed");
  assert.equal(stage.server.requests.at(-1)?.headers.get("authorization"), `Bearer ${fakeToken}`);
  const listed = await useTool(tools, "github_api", {
    method: "GET",
    path: "/repos/acme/app/issues",
    params: { state: "all", per_page: 1 },
  });
  assert.equal(JSON.parse(listed.text).body.length, 1);
  stage.server.faults.push({ response: () => problem(422, `Validation failed for ${fakeToken}`) });
  const failed = await useTool(tools, "github_api", { method: "POST", path: `${path}/comments`, body: {} });
  assert.equal(failed.success, false);
  assert.equal(JSON.parse(failed.text).status, 422);
  assert.ok(!failed.text.includes(fakeToken));
  stage.server.faults.push({ response: () => new Response(null, { status: 204 }) });
  assert.deepEqual(
    JSON.parse((await useTool(tools, "github_api", { method: "DELETE", path: `${path}/assignees` })).text),
    {
      status: 204,
      body: null,
    },
  );
});

test("github_api changes the issue of its run and the pull requests it opened, unless the workflow says more", async () => {
  await using stage = githubUnderTest(many(2));
  const [issue] = await stage.tracker.fetchIssuesByIds(["1"]);
  assert.ok(issue);
  const tools = stage.tracker.tools({ issue, workspace: "/w" });
  const call = (method: string, path: string) =>
    useTool(tools, "github_api", { method, path: `/repos/acme/app${path}`, body: {} });
  const before = stage.server.requests.length;
  for (const [method, path] of [
    ["PATCH", "/issues/2"],
    ["POST", "/issues/2/labels"],
    ["POST", "/issues"],
    ["POST", "/issues/1%2F..%2F2/labels"],
    ["PATCH", "/issues/comments/7"],
    ["PUT", "/issues/1/lock"],
    ["PUT", "/pulls/7/merge"],
    ["POST", "/pulls/7/reviews"],
    ["PATCH", "/pulls/7"],
    ["PUT", "/contents/.github/workflows/x.yml"],
    ["POST", "/git/refs"],
    ["POST", "/hooks"],
    ["POST", "/keys"],
    ["DELETE", ""],
    ["GET", "/secret-scanning/alerts"],
    ["GET", "/security-advisories"],
    ["GET", "/hooks"],
  ] as const) {
    const { success, text } = await call(method, path);
    assert.equal(success, false, `${method} ${path}`);
    assert.match(text, /is not allowed\.|is no path/);
  }
  assert.equal(stage.server.requests.length, before, "nothing was sent");
  stage.server.faults.push({ response: () => Response.json({ number: 7 }, { status: 201 }) });
  assert.ok((await call("POST", "/pulls")).success);
  for (const [method, path] of [
    ["PATCH", "/pulls/7"],
    ["POST", "/issues/7/comments"],
  ] as const) {
    stage.server.faults.push({ response: () => Response.json({}) });
    assert.ok((await call(method, path)).success, path);
  }
  for (const [method, path] of [
    ["PUT", "/pulls/7/merge"],
    ["POST", "/issues/7/labels"],
  ] as const) {
    assert.equal((await call(method, path)).success, false, path);
  }
});

test("with the scope repo github_api changes neither the repository itself nor its access", async () => {
  await using stage = githubUnderTest(many(1), { provider: { tool_scope: "repo" } });
  const [issue] = await stage.tracker.fetchIssuesByIds(["1"]);
  assert.ok(issue);
  const tools = stage.tracker.tools({ issue, workspace: "/w" });
  const before = stage.server.requests.length;
  for (const [method, rest] of [
    ["DELETE", ""],
    ["PATCH", ""],
    ["POST", "/transfer"],
    ["PUT", "/collaborators/eve"],
    ["POST", "/keys"],
    ["DELETE", "/branches/main/protection"],
    ["PUT", "/actions/secrets/KEY"],
  ]) {
    const { success, text } = await useTool(tools, "github_api", { method, path: `/repos/acme/app${rest}` });
    assert.equal(success, false, rest);
    assert.match(text, /is not allowed/);
  }
  assert.equal(stage.server.requests.length, before);
  const path = "/repos/acme/app/issues/1";
  assert.ok((await useTool(tools, "github_api", { method: "PATCH", path, body: { state: "closed" } })).success);
});

test("github_api stays within the repository unless the workflow says more", async () => {
  for (const scope of ["repo", "any"]) {
    await using stage = githubUnderTest(many(1), { provider: { tool_scope: scope } });
    const [issue] = await stage.tracker.fetchIssuesByIds(["1"]);
    assert.ok(issue);
    const tools = stage.tracker.tools({ issue, workspace: "/w" });
    const before = stage.server.requests.length;
    const refused = [
      "https://evil.example/x",
      "//evil.example/x",
      "repos/acme/app",
      "/repos/acme/app/../../user",
      "/repos/acme/app/%2e%2e/%2e%2e/user",
      "/repos/acme/app/..%2f..%2fuser",
      "/repos/acme/app\\..\\..\\user",
      "/repos/acme/app#x",
    ];
    for (const path of refused) {
      const { success, text } = await useTool(tools, "github_api", { method: "GET", path });
      assert.equal(success, false, path);
      assert.match(text, /is no path of GitHub's API/);
    }
    for (const path of ["/user", "/repos/acme/application", "/repos/acme/other/issues"]) {
      const { text } = await useTool(tools, "github_api", { method: "GET", path });
      assert.match(text, scope === "repo" ? /lies outside of \/repos\/acme\/app/ : /"status":404/);
    }
    assert.equal(stage.server.requests.length - before, scope === "repo" ? 0 : 3);
  }
});
