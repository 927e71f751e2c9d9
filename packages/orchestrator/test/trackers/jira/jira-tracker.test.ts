import assert from "node:assert/strict";
import { test } from "node:test";
import { jiraIssue, paragraph } from "../../support/fake-jira.ts";
import { jiraUnderTest, makeTracker, useTool } from "../../support/tracker-under-test.ts";

const ids = (issues: readonly { readonly id: string }[]) => issues.map(({ id }) => id);

test("all pages of a list come in order, and a refresh gives the same issues", async () => {
  await using at = jiraUnderTest(Array.from({ length: 230 }, (_, index) => jiraIssue(index + 1)));
  const listed = await at.tracker.fetchIssuesByStates([" to do "]);
  assert.equal(listed.length, 230);
  assert.equal(at.server.requests.length, 3);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(ids(listed)), listed);
  const [first] = listed;
  assert.deepEqual([first?.id, first?.identifier, first?.description], ["10001", "APP-1", "Body of 1"]);
  assert.deepEqual([first?.priority, first?.updatedAt], [2, "2026-02-01T00:00:00.000Z"]);
  assert.equal(first?.url, `${at.server.url}/browse/APP-1`);
});

test("a description becomes plain text: headings, lists, code, mentions", async () => {
  const text = (words: string) => ({ type: "text", text: words });
  const content = [
    { type: "heading", attrs: { level: 2 }, content: [text("Steps")] },
    {
      type: "bulletList",
      content: [
        { type: "listItem", content: [{ type: "paragraph", content: [text("one")] }] },
        {
          type: "listItem",
          content: [{ type: "paragraph", content: [text("two "), { type: "mention", attrs: { text: "@ann" } }] }],
        },
      ],
    },
    { type: "codeBlock", content: [text("a\nb")] },
    { type: "paragraph", content: [text("x"), { type: "hardBreak" }, text("y")] },
  ];
  await using at = jiraUnderTest([jiraIssue(1, { description: { type: "doc", version: 1, content } })]);
  const [issue] = await at.tracker.fetchIssuesByIds(["10001"]);
  assert.equal(issue?.description, "## Steps\n\n- one\n- two @ann\n\n```\na\nb\n```\n\nx\ny");
});

test("an issue that blocks another holds it back in the first state only, and one of another project is not visible", async () => {
  const link = (state: string) => ({
    type: { name: "Blocks", inward: "is blocked by", outward: "blocks" },
    inwardIssue: { id: "10009", key: "APP-9", fields: { status: { name: state } } },
  });
  await using at = jiraUnderTest([
    jiraIssue(1, { issuelinks: [link("In Review")] }),
    jiraIssue(2, { issuelinks: [link("Done")] }),
    jiraIssue(3, { issuelinks: [link("To Do")], status: { name: "In Progress" } }),
    jiraIssue(4, { project: { key: "OTHER" } }),
  ]);
  const found = await at.tracker.fetchIssuesByIds(["10001", "10002", "10003", "10004"]);
  assert.deepEqual(
    found.map(({ identifier, dispatchable }) => [identifier, dispatchable]),
    [
      ["APP-1", false],
      ["APP-2", true],
      ["APP-3", true],
    ],
  );
});

test("a project that is not visible any more is an outage, not the end of its issues", async () => {
  await using at = jiraUnderTest([]);
  assert.deepEqual(await at.tracker.fetchIssuesByIds(["10001"]), []);
  at.server.faults.push(
    () => Response.json({ issues: [] }),
    () => Response.json({}, { status: 404 }),
  );
  await assert.rejects(at.tracker.fetchIssuesByIds(["10001"]), { code: "tracker_status" });
});

test("a state is reached by a transition, and one that the workflow lacks is named", async () => {
  await using at = jiraUnderTest([jiraIssue(1)]);
  const [issue] = await at.tracker.fetchIssuesByIds(["10001"]);
  assert.ok(issue);
  await at.tracker.writer?.setState(issue, "in review");
  assert.deepEqual(at.server.issues[0]?.fields.status, { name: "In Review" });
  await assert.rejects(
    async () => at.tracker.writer?.setState(issue, "Merging"),
    /from To Do to To Do, In Review, Done, not to Merging: add a transition/,
  );
});

test("a comment is kept current, and an agent changes its own issue only", async () => {
  await using at = jiraUnderTest([jiraIssue(1)]);
  const [issue] = await at.tracker.fetchIssuesByIds(["10001"]);
  assert.ok(issue);
  const id = await at.tracker.writer?.writeNote(issue, "first", null);
  assert.equal(await at.tracker.writer?.writeNote(issue, "second", id ?? null), id);
  assert.deepEqual(at.server.comments, [{ id: "1", body: paragraph("second") }]);
  assert.equal(await at.tracker.writer?.writeNote(issue, "third", "99"), "2");
  const tools = at.tracker.tools({ issue, workspace: "/w" });
  assert.ok((await useTool(tools, "tracker_update", { comment: "Done.", state: "Done" })).success);
  assert.deepEqual(at.server.comments[2]?.body, paragraph("Done."));
  assert.deepEqual(at.server.issues[0]?.fields.status, { name: "Done" });
});

test("a state's name cannot change the query, and errors are told apart", async () => {
  await using at = jiraUnderTest([jiraIssue(1)]);
  assert.deepEqual(await at.tracker.fetchIssuesByStates(['x") OR project = "SECRET']), []);
  assert.match(String(at.server.requests[0]?.body.jql), /status IN \("x\\"\) or project = \\"secret"\)/);
  const config = { code: "invalid_tracker_config" };
  const env = { JIRA_API_TOKEN: "x" };
  assert.throws(() => makeTracker("jira", { provider: { project: "APP" }, env }), config);
  assert.throws(() => makeTracker("jira", { provider: { url: "https://a.example", project: "A B" }, env }), config);
  const provider = { url: "https://a.example", project: "APP" };
  assert.throws(() => makeTracker("jira", { provider: { ...provider, jql: "x ORDER BY y" }, env }), config);
  assert.throws(() => makeTracker("jira", { provider }), { code: "missing_tracker_secret" });
  for (const [response, code] of [
    [() => new Response("[]"), "tracker_response"],
    [() => Response.json({ issues: [], isLast: false }), "tracker_pagination"],
    [() => new Response("", { status: 429, headers: { "retry-after": "7" } }), "tracker_rate_limited"],
  ] as const) {
    await using other = jiraUnderTest();
    other.server.faults.push(response);
    await assert.rejects(other.tracker.fetchIssuesByStates(["To Do"]), { code });
  }
});
