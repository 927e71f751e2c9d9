import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Tracker } from "../../src/tracker/tracker.ts";
import { githubIssue } from "../support/fake-github.ts";
import { graphqlError, linearIssue } from "../support/fake-linear.ts";
import { folderUnderTest, githubUnderTest, issueFile, linearUnderTest } from "../support/tracker-under-test.ts";

/** An issue with all that changes it. */
async function writing(tracker: Tracker, id: string) {
  const { writer } = tracker;
  assert.ok(writer);
  const current = async () => {
    const [issue] = await tracker.fetchIssuesByIds([id]);
    assert.ok(issue);
    return issue;
  };
  return {
    current,
    setState: async (state: string) => writer.setState(await current(), state),
    note: async (text: string, known: string | null) => writer.writeNote(await current(), text, known),
  };
}

const stateLabels = { Todo: "q:todo", Review: "q:review", Rework: "q:rework" };

describe("github", () => {
  test("a state is its label, and no other label of a state stays", async () => {
    const labels = [{ name: "bug" }, { name: "q:todo" }, { name: "q:rework" }];
    await using stage = githubUnderTest([githubIssue(1, { labels })], { provider: { state_labels: stateLabels } });
    const issue = await writing(stage.tracker, "1");
    await issue.setState("review");
    assert.deepEqual((await issue.current()).labels, ["bug", "q:review"]);
    assert.equal((await issue.current()).state, "Review");
    await issue.setState("closed");
    assert.equal((await issue.current()).state, "closed");
    await issue.setState("Rework");
    assert.equal((await issue.current()).state, "Rework");
    await assert.rejects(issue.setState("Nowhere"), /GitHub has no state Nowhere: name its label in state_labels/);
  });

  test("a comment is kept current, and found again where its id was lost in a crash", async () => {
    await using stage = githubUnderTest([githubIssue(1)]);
    const { comments } = stage.server;
    comments.push({ id: 77, body: "<!-- quire: delivery -->\nby a stranger", author_association: "NONE" });
    const issue = await writing(stage.tracker, "1");
    const id = await issue.note("first", null);
    assert.equal(await issue.note("second", id), id);
    assert.equal(await issue.note("third", null), id);
    assert.deepEqual(
      comments.map(({ body }) => body.split("\n")[1]),
      ["by a stranger", "third"],
    );
    comments.pop();
    assert.notEqual(await issue.note("fourth", "999"), "");
    assert.equal(comments.length, 2);
  });
});

describe("linear", () => {
  test("a state is set by its name in the issue's team", async () => {
    await using stage = linearUnderTest([linearIssue(1)]);
    const issue = await writing(stage.tracker, "uuid-1");
    await issue.setState("in review");
    const { variables } = stage.server.operations.at(-1) ?? {};
    assert.deepEqual(variables, { id: "uuid-1", stateId: "state-In Review" });
    await assert.rejects(issue.setState("Merging"), /team in Linear has no state Merging/);
  });

  test("a comment is kept current, and written anew where it is gone", async () => {
    await using stage = linearUnderTest([linearIssue(1)]);
    const issue = await writing(stage.tracker, "uuid-1");
    const id = await issue.note("first", null);
    assert.equal(id, "note-1");
    const before = stage.server.operations.length;
    await issue.note("second", id);
    assert.match(stage.server.operations.at(-1)?.query ?? "", /commentUpdate/);
    assert.equal(stage.server.operations.length, before + 2);
    const current = await issue.current();
    stage.server.faults.push(() => graphqlError(400, "Entity not found", "INPUT_ERROR"));
    assert.equal(await stage.tracker.writer?.writeNote(current, "third", "gone"), "note-1");
  });
});

describe("folder", () => {
  test("state and comment are changed, and all else in the file stays as it is", async () => {
    const front = { title: "Fix", state: "Todo", labels: ["a"] };
    await using stage = await folderUnderTest({ "A-1.md": issueFile(front, "Do it.\n") });
    const issue = await writing(stage.tracker, "A-1");
    await issue.setState("Review");
    await issue.note("first <!-- quire: end --> words", null);
    await issue.note("second", "note");
    const text = readFileSync(join(stage.folder, "A-1.md"), "utf8");
    assert.match(text, /^state: Review$/m);
    assert.match(text, /labels: \["?a"?\]/);
    assert.ok(text.includes("Do it."));
    assert.ok(text.endsWith("\n\n<!-- quire: delivery -->\nsecond\n<!-- quire: end -->\n"), text);
  });
});
