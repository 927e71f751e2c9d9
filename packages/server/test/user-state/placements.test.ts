import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { storedInFiles } from "../support/database.ts";
import { testHome } from "../support/test-server.ts";

test("what was read is known after a restart, and two clients cannot undo each other's marks", async () => {
  await using place = await testHome();
  const first = await place.open();
  const threadId = await first.client.thread();
  const turn = await first.client.turn(threadId);
  const { readState } = await first.client.request("thread/read", { threadId });
  assert.deepEqual(readState.firstUnread, { type: "turn", turnId: turn.id });
  const update = { threadId, expectedRevision: readState.revision, operation: { type: "read" } };
  const done = await first.client.request("thread/readState/update", update);
  await assert.rejects(first.client.request("thread/readState/update", update), /read state changed/);
  await first.close();
  const { client: talk } = await place.open();
  const { readStates } = await talk.request("thread/list", {});
  assert.deepEqual(readStates, { [threadId]: done.readState });
});

test("a client without the experimental API is not told of read marks", async () => {
  await using place = await testHome();
  const { client: talk } = await place.open({ capabilities: {} });
  await talk.turn(await talk.thread());
  assert.ok(!talk.received.some(({ method }) => method === "thread/readState/changed"));
});

test("a section keeps its threads in the user's order, over a restart, page by page", async () => {
  await using place = await testHome();
  const first = await place.open();
  const { section } = await first.client.request("threadSection/create", { name: "Work" });
  const ids: string[] = [];
  for (let index = 0; index < 4; index++) {
    const threadId = await first.client.thread();
    await first.client.turn(threadId);
    await first.client.request("thread/section/move", {
      threadId,
      sectionId: section.id,
      beforeThreadId: ids[0] ?? null,
    });
    ids.unshift(threadId);
  }
  await first.close();
  const { client: talk } = await place.open();
  const listed: string[] = [];
  for (let cursor = null; ; ) {
    const params = { sectionId: section.id, sortKey: "section_position", limit: 1, cursor };
    const page = await talk.request("thread/list", params);
    listed.push(...page.data.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  assert.deepEqual(listed, ids);
  await talk.request("threadSection/delete", { sectionId: section.id });
  const { data } = await talk.request("thread/list", {});
  assert.ok(data.every((thread: { section: unknown }) => thread.section === null));
});

test("threads of a deleted project belong to none, and everybody is told", async () => {
  await using place = await testHome();
  const { client: talk, connect } = await place.open();
  const stranger = await connect();
  const { project } = await talk.request("project/create", { idempotencyKey: "k", name: "One", roots: [] });
  const threadId = await talk.thread({ projectId: project.id });
  await talk.turn(threadId);
  assert.equal((await talk.request("thread/list", { projectId: project.id })).data[0].id, threadId);
  assert.notEqual((await talk.request("project/read", { projectId: project.id })).project.recencyAt, null);
  await talk.request("project/delete", { projectId: project.id });
  await stranger.waitFor(
    "thread/project/updated",
    (params) => params.threadId === threadId && params.projectId === null,
  );
  assert.equal((await talk.request("thread/read", { threadId })).thread.projectId, null);
});

if (storedInFiles) {
  test("a broken state file is put aside, not deleted, and the server goes on", async () => {
    await using place = await testHome();
    writeFileSync(join(place.home, "quire-state.sqlite"), "this is no database, whatever its name says ".repeat(100));
    const { client: talk } = await place.open();
    await talk.turn(await talk.thread());
    assert.equal((await talk.request("threadSection/list", {})).data[0].name, "Pinned");
    assert.ok(readdirSync(place.home).some((name) => name.startsWith("quire-state.sqlite.broken-")));
  });
}

test("a word is found wherever it was said in a thread", async () => {
  await using place = await testHome();
  const { client: talk } = await place.open();
  const threadId = await talk.thread();
  await talk.turn(threadId);
  const { data } = await talk.request("thread/searchOccurrences", { threadId, searchTerm: "OK" });
  assert.deepEqual(
    data.map(({ snippet }: { snippet: string }) => snippet),
    ["ok"],
  );
  const page = await talk.request("thread/turns/list", { threadId, cursor: data[0].turnCursor });
  assert.equal(page.data[0].id, data[0].turnId);
  const timeline = await talk.request("thread/timeline/list", { threadId });
  assert.deepEqual(
    timeline.data.map(({ type }: { type: string }) => type),
    ["turnStarted", "item", "item", "turnCompleted"],
  );
});
