import assert from "node:assert/strict";
import { test } from "node:test";
import { itemHref, newHref, parseRoute, threadHref } from "../../src/navigation/routes.ts";

test("a thread's address leads to the thread, whatever its ids hold", () => {
  for (const key of [
    { hub: "h1", thread: "0190c9a0-0000" },
    { hub: "ws://[::1]:4500/a b", thread: "ü/#?%" },
  ]) {
    assert.deepEqual(parseRoute(threadHref(key)), { page: "thread", key });
  }
});

test("an item's address leads to it in its thread", () => {
  const key = { hub: "h 1", thread: "t/1" };
  assert.deepEqual(parseRoute(itemHref(key, "item/2")), { page: "thread", key, item: "item/2" });
});

test("a new thread's address keeps server and folder", () => {
  assert.deepEqual(parseRoute(newHref("h 1", "/work/a&b=c d")), { page: "new", hub: "h 1", cwd: "/work/a&b=c d" });
  assert.deepEqual(parseRoute(newHref()), { page: "new", hub: null, cwd: null });
});

test("any other address leads to a new thread instead of nowhere", () => {
  for (const hash of ["", "#", "#/", "#/thread", "#/thread/h1/", "#/nothing/here", "#/thread/%E0%A4%A"]) {
    assert.equal(parseRoute(hash).page, "new", hash);
  }
  assert.equal(parseRoute("#/orchestrator").page, "orchestrator");
});
