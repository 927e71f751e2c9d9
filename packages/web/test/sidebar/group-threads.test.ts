import assert from "node:assert/strict";
import { test } from "node:test";
import { addressProblem } from "../../src/sidebar/address-problem.ts";
import { flatten, groupThreads, neighbour, type ThreadNode } from "../../src/sidebar/group-threads.ts";
import { aSummary } from "./support/a-summary.ts";

type Shape = string | { readonly [parent: string]: readonly Shape[] };

function shape({ thread, children }: ThreadNode): Shape {
  return children.length === 0 ? thread.key.thread : { [thread.key.thread]: children.map(shape) };
}

test("threads stand under their folders, sub-agents under their parents in the order they began", () => {
  const groups = groupThreads([
    aSummary("new", { cwd: "/b" }),
    aSummary("late", { parent: "parent", createdAt: 9 }),
    aSummary("parent", { cwd: "/a" }),
    aSummary("early", { parent: "parent", createdAt: 5, cwd: "/elsewhere" }),
    aSummary("deep", { parent: "early" }),
  ]);
  assert.deepEqual(
    groups.map(({ cwd, nodes }) => [cwd, nodes.map(shape)]),
    [
      ["/b", ["new"]],
      ["/a", [{ parent: [{ early: ["deep"] }, "late"] }]],
    ],
  );
});

test("no thread is lost: not one whose parent is not listed, nor one that is its own", () => {
  const groups = groupThreads([aSummary("orphan", { parent: "gone" }), aSummary("own", { parent: "own" })]);
  assert.deepEqual(
    flatten(groups).map(({ key }) => key.thread),
    ["orphan", "own"],
  );
});

test("the arrow keys go through the list and stop at its ends", () => {
  const threads = ["a", "b", "c"].map((id) => aSummary(id));
  const from = (id: string | null, step: 1 | -1) =>
    neighbour(threads, id === null ? null : `h1 ${id}`, step)?.key.thread;
  assert.deepEqual(
    [from("a", 1), from("b", -1), from("c", 1), from("a", -1), from(null, 1), from(null, -1)],
    ["b", "a", undefined, undefined, "a", "c"],
  );
});

test("only addresses that can be those of a server are tried", () => {
  for (const address of ["ws://127.0.0.1:4500", "wss://example.org/codex", "unix:///run/codex.sock"]) {
    assert.equal(addressProblem(address), null, address);
  }
  for (const address of ["", "127.0.0.1:4500", "http://x", "unix://relative", "ws://"]) {
    assert.notEqual(addressProblem(address), null, address);
  }
});
