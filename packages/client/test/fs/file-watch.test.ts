import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError } from "@quire/client";
import { FileSystem } from "@quire/client/groups";
import { deferred, FakePort } from "../support/fake-port.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

function watching(options: { signal?: AbortSignal } = {}) {
  const port = new FakePort().on("fs/watch", ({ path }) => ({ path }));
  const watch = new FileSystem(port).watch("/repo", options);
  const watchId = () => port.paramsOf("fs/watch")[0]?.watchId ?? "";
  const change = (...changedPaths: string[]) => port.send("fs/changed", { watchId: watchId(), changedPaths });
  return { port, watch, watchId, change };
}

test("changes arrive, those of other watches do not", async () => {
  const { port, watch, change } = watching();
  assert.equal(await watch.ready, "/repo");
  const next = watch.next();
  port.send("fs/changed", { watchId: "other", changedPaths: ["/x"] });
  change("/repo/a");
  assert.deepEqual(await next, { done: false, value: { paths: ["/repo/a"], overflow: false } });
});

test("changes that nobody reads are merged, and bounded", async () => {
  const { watch, change } = watching();
  change("/repo/a", "/repo/b");
  change("/repo/b", "/repo/c");
  const { value } = await watch.next();
  assert.deepEqual(value, { paths: ["/repo/a", "/repo/b", "/repo/c"], overflow: false });
  for (let index = 0; index < 20_000; index++) change(`/repo/${index}`);
  const flood = await watch.next();
  assert.equal(flood.value?.paths.length, 10_000);
  assert.equal(flood.value?.overflow, true);
  change("/repo/after");
  assert.deepEqual((await watch.next()).value, { paths: ["/repo/after"], overflow: false });
});

test("leaving the loop ends the watch on the server and frees the listener", async () => {
  const { port, watch, watchId, change } = watching();
  change("/repo/a");
  for await (const _ of watch) break;
  await settle();
  assert.deepEqual(port.paramsOf("fs/unwatch"), [{ watchId: watchId() }]);
  assert.equal(port.listeners, 0);
  assert.deepEqual(await watch.next(), { done: true, value: undefined });
});

test("a reader that waits is let go by return()", async () => {
  const { port, watch } = watching();
  const waiting = watch.next();
  await watch.ready;
  await watch.return();
  assert.deepEqual(await waiting, { done: true, value: undefined });
  assert.equal(port.paramsOf("fs/unwatch").length, 1);
});

test("aborting ends the watch with the reason, also when the server has not answered yet", async () => {
  const controller = new AbortController();
  const port = new FakePort();
  const answer = deferred<{ path: string }>();
  port.on("fs/watch", () => answer.promise);
  const watch = new FileSystem(port).watch("/repo", { signal: controller.signal });
  const waiting = watch.next();
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, /enough/);
  assert.equal(port.listeners, 0);
  assert.equal(port.paramsOf("fs/unwatch").length, 0);
  answer.resolve({ path: "/repo" });
  await watch.ready;
  assert.equal(port.paramsOf("fs/unwatch").length, 1);
});

test("nothing is watched when the signal was aborted before", async () => {
  const port = new FakePort();
  const watch = new FileSystem(port).watch("/repo", { signal: AbortSignal.abort(new Error("early")) });
  await assert.rejects(watch.next(), /early/);
  assert.deepEqual(port.made, []);
  assert.equal(port.listeners, 0);
});

test("a path that cannot be watched, and a connection that ends, are told to the reader", async () => {
  const port = new FakePort().on("fs/watch", () => {
    throw new RpcError({ code: -32600, message: "watchId already exists" });
  });
  const watch = new FileSystem(port).watch("/repo");
  await assert.rejects(watch.next(), /already exists/);
  await assert.rejects(watch.ready, /already exists/);
  assert.equal(port.listeners, 0);

  const other = watching();
  const waiting = other.watch.next();
  other.port.end(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  assert.equal(other.port.listeners, 0);
});

test("a watch outlives a lost connection: it is set up anew, and says that anything may have changed", async () => {
  const { port, watch, change } = watching();
  await watch.ready;
  port.reconnect();
  const { value } = await watch.next();
  assert.deepEqual(value, { paths: ["/repo"], overflow: true });
  assert.equal(port.paramsOf("fs/watch").length, 2);
  change("/repo/a");
  assert.deepEqual((await watch.next()).value, { paths: ["/repo/a"], overflow: false });
  await watch.return();
  assert.equal(port.paramsOf("fs/unwatch").length, 1);
});
