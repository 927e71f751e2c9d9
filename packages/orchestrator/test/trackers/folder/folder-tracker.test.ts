import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { FolderStore } from "../../../src/trackers/folder/folder-store.ts";
import { folderUnderTest, issueFile, makeTracker, useTool } from "../../support/tracker-under-test.ts";

const session = async (stage: Awaited<ReturnType<typeof folderUnderTest>>, id: string) => {
  const [issue] = await stage.tracker.fetchIssuesByIds([id]);
  assert.ok(issue);
  return stage.tracker.tools({ issue, workspace: stage.dir });
};

test("a file with all fields becomes an issue with all fields", async () => {
  const front = {
    title: "Log in",
    state: "Todo",
    priority: 2,
    labels: ["Bug", " UI ", "bug"],
    branch_name: "fix-login",
    url: "https://example.org/1",
    assignee: "ann",
    created_at: "2026-01-02T03:04:05+01:00",
    updated_at: "2026-01-03T00:00:00Z",
  };
  await using stage = await folderUnderTest({ "APP-1.md": issueFile(front, "It does not work.\n") });
  assert.deepEqual(await stage.tracker.fetchIssuesByStates(["todo"]), [
    {
      id: "APP-1",
      nativeRef: { path: "APP-1.md" },
      identifier: "APP-1",
      title: "Log in",
      description: "It does not work.",
      priority: 2,
      state: "Todo",
      branchName: "fix-login",
      url: "https://example.org/1",
      assigneeId: "ann",
      labels: ["bug", "ui"],
      blockedBy: [],
      dispatchable: true,
      createdAt: "2026-01-02T02:04:05.000Z",
      updatedAt: "2026-01-03T00:00:00.000Z",
    },
  ]);
});

test("a title may be the heading; README.md, drafts and folders are no issues", async () => {
  await using stage = await folderUnderTest({
    "a.md": "---\nstate: Todo\n---\n# Tidy up\n\nAll of it.\n",
    "README.md": "# About",
    ".hidden.md": "",
    "~a.md": "",
    "notes.txt": "",
  });
  const issues = await stage.tracker.fetchIssuesByStates(["Todo"]);
  assert.deepEqual(
    issues.map(({ identifier, title }) => [identifier, title]),
    [["a", "Tidy up"]],
  );
  assert.deepEqual(stage.log, []);
});

test("editing a file changes the state, also within the clock's step and to a text of the same length", async () => {
  await using stage = await folderUnderTest();
  const path = join(stage.folder, "a.md");
  for (let round = 0; round < 200; round++) {
    const state = round % 2 === 0 ? "Todo" : "Done";
    // Nothing between writing and reading but the reading: file systems count time in steps of milliseconds.
    writeFileSync(path, issueFile({ title: "A", state }));
    const [issue] = await stage.tracker.fetchIssuesByIds(["a"]);
    assert.equal(issue?.state, state);
  }
});

/** A folder on a file system whose clock stands still at `changed`, looked at when it is `now`. */
function slowClock(folder: string, time: { changed: number; now: number }): FolderStore {
  return new FolderStore(folder, {
    lstat: async (path) => Object.assign(await lstat(path), { mtimeMs: time.changed, ctimeMs: time.changed }),
    now: () => time.now,
  });
}

const stateIn = async (store: FolderStore) => {
  const content = await store.one("a");
  return typeof content === "object" ? content.issue.state : content;
};

test("a file system that counts time in steps of two seconds hides no change", async () => {
  await using stage = await folderUnderTest();
  const time = { changed: 10_000, now: 10_000 };
  const store = slowClock(stage.folder, time);
  for (let round = 0; round <= 20; round++) {
    time.now = time.changed + round * 100;
    const state = round % 2 === 0 ? "Todo" : "Done";
    writeFileSync(join(stage.folder, "a.md"), issueFile({ title: "A", state }));
    assert.equal(await stateIn(store), state);
  }
});

test("a file that has not changed for longer than that is read once, until its time changes", async () => {
  await using stage = await folderUnderTest();
  const path = join(stage.folder, "a.md");
  const time = { changed: 10_000, now: 12_001 };
  const store = slowClock(stage.folder, time);
  writeFileSync(path, issueFile({ title: "A", state: "Todo" }));
  assert.equal(await stateIn(store), "Todo");
  writeFileSync(path, issueFile({ title: "A", state: "Done" }));
  assert.equal(await stateIn(store), "Todo", "its time says that it is the same");
  time.changed = 12_000;
  assert.equal(await stateIn(store), "Done");
});

test("what is wrong with a file is said, with its line, and once", async () => {
  await using stage = await folderUnderTest({
    "good.md": issueFile({ title: "Good", state: "Todo" }),
    "no-front.md": "Just text",
    "no-end.md": "---\ntitle: x\n",
    "no-state.md": "---\ntitle: x\n---\n",
    "no-title.md": "---\nstate: Todo\n---\ntext",
    "bad-yaml.md": "---\ntitle: x\nstate: [Todo\n---\n",
  });
  await mkdir(join(stage.folder, "folder.md"));
  await symlink("/etc/passwd", join(stage.folder, "link.md"));
  for (let poll = 0; poll < 2; poll++) {
    const issues = await stage.tracker.fetchIssuesByStates(["Todo"]);
    assert.deepEqual(
      issues.map(({ id }) => id),
      ["good"],
    );
  }
  assert.equal(stage.log.length, 1);
  assert.equal(stage.log[0]?.fields.count, 7);
  for (const [id, expected] of [
    ["no-front", /no-front\.md has no front matter/],
    ["no-end", /without an end/],
    ["no-state", /has no state: write "state: Todo"/],
    ["no-title", /has no title/],
    ["bad-yaml", /bad-yaml\.md has front matter that is no YAML \(line [34]/],
    ["folder", /is not a regular file/],
    ["link", /is not a regular file/],
  ] as const) {
    await assert.rejects(stage.tracker.fetchIssuesByIds([id]), { code: "tracker_response", message: expected });
  }
});

test("an issue waits for those that block it, and only before work on it has begun", async () => {
  await using stage = await folderUnderTest({
    "a.md": issueFile({ title: "A", state: "In Progress", blocked_by: ["b"] }),
    "b.md": issueFile({ title: "B", state: "Todo", blocked_by: "c" }),
    "c.md": issueFile({ title: "C", state: "Done" }),
    "d.md": issueFile({ title: "D", state: "Todo", blocked_by: ["a", "gone"] }),
  });
  const issues = await stage.tracker.fetchIssuesByStates(["Todo", "In Progress"]);
  assert.deepEqual(
    issues.map(({ id, dispatchable }) => [id, dispatchable]),
    [
      ["a", true],
      ["b", true],
      ["d", false],
    ],
  );
  assert.deepEqual(issues[2]?.blockedBy, [
    { id: "a", identifier: "a", state: "In Progress" },
    { id: "gone", identifier: "gone", state: null },
  ]);
});

test("with an assignee, only that person's issues are worked on", async () => {
  const files = {
    "a.md": issueFile({ title: "A", state: "Todo", assignee: "Ann" }),
    "b.md": issueFile({ title: "B", state: "Todo" }),
  };
  await using stage = await folderUnderTest(files, { provider: { assignee: "ann" } });
  const issues = await stage.tracker.fetchIssuesByStates(["Todo"]);
  assert.deepEqual(
    issues.map(({ dispatchable }) => dispatchable),
    [true, false],
  );
});

test("a folder that is not there is an error of the tracker, not an empty backlog", async () => {
  const { tracker } = makeTracker("folder", { baseDir: "/nowhere" });
  await assert.rejects(tracker.fetchIssuesByStates(["Todo"]), {
    code: "tracker_request",
    message: /\/nowhere\/issues cannot be read \(ENOENT\)\. Create it, or correct tracker\.provider\.path/,
  });
});

test("a folder that goes away takes no issue with it: those under way are unknown, not deleted", async () => {
  await using stage = await folderUnderTest({ "a.md": issueFile({ title: "A", state: "Todo" }) });
  assert.deepEqual(await stage.tracker.fetchIssuesByIds(["gone"]), []);
  await rm(stage.folder, { recursive: true });
  await assert.rejects(stage.tracker.fetchIssuesByIds(["a"]), { code: "tracker_request" });
});

test("an id cannot lead out of the folder", async () => {
  await using stage = await folderUnderTest();
  await writeFile(join(stage.dir, "secret.md"), issueFile({ title: "A", state: "Todo" }));
  assert.deepEqual(await stage.tracker.fetchIssuesByIds(["../secret", "a/../../secret", ".hidden"]), []);
});

test("tracker_update changes state, labels and comments, and leaves the rest of the file as it was", async () => {
  const content =
    "---\n# Who: the team\ntitle: A\nstate: Todo # for now\nlabels:\n  - bug\ncustom: {x: 1}\n---\n\nText.\n";
  await using stage = await folderUnderTest({ "a.md": content });
  const tools = await session(stage, "a");
  const input = { state: "Done", comment: "Fixed in 2f3.", add_labels: ["shipped", "BUG"], remove_labels: ["none"] };
  const { success, text } = await useTool(tools, "tracker_update", input);
  assert.ok(success, text);
  assert.deepEqual(JSON.parse(text), { issue: "a", state: "Done", labels: ["bug", "shipped"] });
  const after = await readFile(join(stage.folder, "a.md"), "utf8");
  assert.match(
    after,
    /^---\n# Who: the team\ntitle: A\nstate: Done # for now\nlabels: \[bug, shipped\]\ncustom: \{x: 1\}\n---\n\nText\.\n\n## Comment of \d{4}-.*Z\n\nFixed in 2f3\.\n$/,
  );
  assert.deepEqual(await readdir(stage.folder), ["a.md"]);
});

test("tracker_update tells the agent what it did wrong", async () => {
  const files = { "a.md": issueFile({ title: "A", state: "Todo" }) };
  await using stage = await folderUnderTest(files, { provider: { states: ["Todo", "Done"] } });
  const tools = await session(stage, "a");
  const says = async (input: unknown) => {
    const { success, text } = await useTool(tools, "tracker_update", input);
    assert.equal(success, false);
    return text;
  };
  assert.match(await says({ state: "Doen" }), /"Doen" is none of the states: Todo, Done/);
  assert.match(await says({}), /Invalid arguments/);
  assert.match(await says({ issue: "b", state: "Done" }), /Invalid arguments/);
  assert.match(await says({ comment: "x".repeat(1024 * 1024) }), /larger than 1048576 bytes/);
  await rm(join(stage.folder, "a.md"));
  assert.match(await says({ state: "Done" }), /The issue's file is gone/);
});

test("what a killed process left half written is cleared away, and nothing else", async () => {
  await using stage = await folderUnderTest({ "a.md": issueFile({ title: "A", state: "Todo" }) });
  const draft = ".quire-0123456789abcdef.tmp";
  for (const name of [draft, ".quire-fedcba9876543210.tmp", ".mine.tmp"]) await writeFile(join(stage.folder, name), "");
  const old = new Date(Date.now() - 120_000);
  for (const name of [draft, ".mine.tmp"]) await utimes(join(stage.folder, name), old, old);
  assert.equal((await stage.tracker.fetchIssuesByStates(["Todo"])).length, 1);
  assert.deepEqual((await readdir(stage.folder)).sort(), [".mine.tmp", ".quire-fedcba9876543210.tmp", "a.md"]);
});

test("twenty changes at once are all made, and readers never see half a file", async () => {
  await using stage = await folderUnderTest({ "a.md": issueFile({ title: "A", state: "Todo" }) });
  const tools = await session(stage, "a");
  let done = false;
  const changes = Promise.all(
    Array.from({ length: 20 }, (_, index) => useTool(tools, "tracker_update", { comment: `number ${index}.` })),
  ).finally(() => {
    done = true;
  });
  while (!done) assert.equal((await stage.tracker.fetchIssuesByIds(["a"])).length, 1);
  for (const { success, text } of await changes) assert.ok(success, text);
  const [issue] = await stage.tracker.fetchIssuesByIds(["a"]);
  for (let index = 0; index < 20; index++) assert.ok(issue?.description?.includes(`number ${index}.`));
});

test("a file whose aliases stand for more than memory holds is left out, and the others are found", async () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef"]) {
    lines.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(", ")}]`);
  }
  const bomb = `---\ntitle: Bomb\nstate: Todo\n${lines.join("\n")}\n---\n`;
  await using stage = await folderUnderTest({
    "A-1.md": bomb,
    "A-2.md": issueFile({ title: "Work", state: "Todo" }, ""),
  });
  const found = await stage.tracker.fetchIssuesByStates(["Todo"]);
  assert.deepEqual(
    found.map(({ identifier }) => identifier),
    ["A-2"],
  );
  assert.match(JSON.stringify(stage.log), /A-1\.md has front matter that cannot be read .*aliases/);
});
