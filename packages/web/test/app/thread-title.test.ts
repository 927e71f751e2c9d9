import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTitle } from "../../src/app/page-title.ts";
import type { ThreadSummary } from "../../src/state/model.ts";
import { ago, folderName, shortPath, threadTitle } from "../../src/state/thread-title.ts";
import { aSummary } from "../sidebar/support/a-summary.ts";

test("a thread is called by its name, else by its agent, else by its first line", () => {
  assert.equal(threadTitle(aSummary("t", { name: "Login", preview: "hi" })), "Login");
  assert.equal(threadTitle(aSummary("t", { agentNickname: "Spruce", preview: "hi" })), "Spruce");
  assert.equal(threadTitle(aSummary("t", { preview: "\n  fix it\nplease" })), "fix it");
  assert.equal(threadTitle(aSummary("t")), "New thread");
});

test("the title counts each thread that wants the user once", () => {
  const threads = new Map<string, ThreadSummary>([
    ["a", aSummary("a", { status: "waiting", unread: true })],
    ["b", aSummary("b", { unread: true })],
    ["c", aSummary("c", { status: "working" })],
  ]);
  assert.equal(pageTitle({ threads }), "(2) Quire");
  assert.equal(pageTitle({ threads: new Map() }), "Quire");
});

test("paths and times are short", () => {
  assert.equal(folderName("/home/me/quire/"), "quire");
  assert.equal(folderName("C:\\work\\quire"), "quire");
  assert.equal(shortPath("/home/me/quire", "/home/me"), "~/quire");
  assert.equal(shortPath("/home/meadow", "/home/me"), "/home/meadow");
  assert.deepEqual(
    [0, 59, 60, 7200, 200_000, 100_000_000].map((past) => ago(1_000_000_000 - past, 1_000_000_000_000)),
    ["now", "now", "1m", "2h", "2d", "3y"],
  );
});
