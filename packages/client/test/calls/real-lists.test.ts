import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pages } from "@quire/client";
import { namespacesOf } from "@quire/client/groups";
import { codexVersion } from "@quire/protocol/version";
import { eventually, isWithin, skipWithoutCodex, testedVersions } from "@quire/testkit";
import { type RealPort, realPort } from "../support/real-port.ts";

const timeout = 120_000;

for (const version of testedVersions()) {
  const skip = await skipWithoutCodex(version);

  test(`no thread is lost or repeated between pages, whatever their size, on Codex ${version}`, {
    skip,
    timeout,
  }, async () => {
    await using port = await realPort(version);
    const { threads } = namespacesOf(port);
    const ids: string[] = [];
    // Quickly one after the other, so that several are created within one second.
    for (let index = 0; index < 7; index++) ids.push(await port.startThread(`thread ${index}`));
    const newestFirst = [...ids].reverse();
    // 0.118 lists a thread some time after its turn has ended, on whatever page.
    await eventually(async () => (await threads.list({ limit: 50 })).data.length === ids.length);
    for (const pageSize of [1, 2, 3, 50]) {
      const listed = await threads.list({}, { pageSize }).toArray();
      assert.deepEqual(
        listed.map(({ id }) => id),
        newestFirst,
        `pages of ${pageSize}`,
      );
    }
    assert.deepEqual(
      (await threads.list({}, { limit: 4, pageSize: 3 }).toArray()).map(({ id }) => id),
      newestFirst.slice(0, 4),
    );
    assert.equal((await threads.list({ limit: 2 })).data.length, 2);
    const loaded = await threads.loaded({}, { pageSize: 2 }).toArray();
    assert.deepEqual([...loaded].sort(), [...ids].sort());
    if (isWithin(version, { since: "0.151.0" })) {
      const oldestFirst = await threads.list({ sortDirection: "asc" }, { pageSize: 2 }).toArray();
      assert.deepEqual(
        oldestFirst.map(({ id }) => id),
        ids,
      );
      for (const sortKey of ["updated_at", "recency_at"] as const) {
        const sorted = await threads.list({ sortKey }, { pageSize: 2 }).toArray();
        assert.deepEqual([...new Set(sorted.map(({ id }) => id))].sort(), [...ids].sort(), sortKey);
      }
      const found = await threads.search({ searchTerm: "thread" }, { pageSize: 2 }).toArray();
      assert.deepEqual(found.map(({ thread }) => thread.id).sort(), [...ids].sort());
    }
  });
}

const skip = await skipWithoutCodex(codexVersion);
let port: RealPort;
before(async () => {
  if (!skip) port = await realPort(codexVersion);
});
after(() => port?.[Symbol.asyncDispose]());

test("turns and items are paged both ways", { skip, timeout }, async () => {
  const threadId = await port.startThread("turn 0");
  for (let index = 1; index < 5; index++) await port.runTurn(threadId, `turn ${index}`);

  const newestFirst = await pages(port, "thread/turns/list", { threadId }, { pageSize: 2 }).toArray();
  assert.equal(newestFirst.length, 5);
  const oldestFirst = await pages(
    port,
    "thread/turns/list",
    { threadId, sortDirection: "asc" },
    { pageSize: 2 },
  ).toArray();
  assert.deepEqual(
    oldestFirst.map(({ id }) => id),
    newestFirst.map(({ id }) => id).reverse(),
  );

  const [first, second] = [newestFirst[0]?.id, newestFirst[1]?.id];
  const page = await pages(port, "thread/turns/list", {
    threadId,
    limit: 1,
    cursor: (await pages(port, "thread/turns/list", { threadId, limit: 1 })).nextCursor,
  });
  assert.equal(page.data[0]?.id, second);
  const back = await pages(port, "thread/turns/list", {
    threadId,
    limit: 5,
    cursor: page.backwardsCursor,
    sortDirection: "asc",
  });
  assert.deepEqual(
    back.data.map(({ id }) => id),
    [second, first],
  );

  const items = await pages(port, "thread/items/list", { threadId }, { pageSize: 3 }).toArray();
  assert.equal(items.filter(({ item }) => item.type === "userMessage").length, 5);
  assert.equal(items.filter(({ item }) => item.type === "agentMessage").length, 5);
  const some = await pages(port, "thread/items/list", { threadId }, { maxBytes: 500, pageSize: 3 }).toArray();
  assert.ok(some.length > 0 && some.length < items.length);
});

test("models and features are paged to their end", { skip, timeout }, async () => {
  const { models, config } = namespacesOf(port);
  const all = (await models.list({ limit: 1000 })).data.map(({ id }) => id);
  assert.ok(all.length > 2);
  assert.deepEqual(
    (await models.list({}, { pageSize: 2 }).toArray()).map(({ id }) => id),
    all,
  );
  const features = await config.features({}, { pageSize: 10 }).toArray();
  assert.equal(new Set(features.map(({ name }) => name)).size, features.length);
  assert.ok(features.length > 10);
});
