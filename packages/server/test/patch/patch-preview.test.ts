/** A patch is shown while the model writes it, as far as it can be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileUpdateChange } from "@quire/protocol";
import { PatchPreview } from "../../src/patch/patch-preview.ts";

const patch = `*** Begin Patch
*** Add File: b.txt
+one
+two
*** Update File: a.txt
*** Move to: c.txt
@@ heading
 kept
-old
+new
*** Delete File: d.txt
*** End Patch
`;

function watch(): { readonly told: FileUpdateChange[][]; readonly preview: PatchPreview } {
  const told: FileUpdateChange[][] = [];
  return { told, preview: new PatchPreview((changes) => void told.push(changes)) };
}

test("the first lines are shown at once, the whole at the end, sorted by path", () => {
  const { told, preview } = watch();
  for (const char of patch) preview.push(char);
  preview.end(patch);
  assert.deepEqual(told[0], [{ path: "b.txt", kind: { type: "add" }, diff: "" }]);
  assert.deepEqual(told.at(-1), [
    {
      path: "a.txt",
      kind: { type: "update", move_path: "c.txt" },
      diff: "@@ heading\n kept\n-old\n+new\n\n\nMoved to: c.txt",
    },
    { path: "b.txt", kind: { type: "add" }, diff: "one\ntwo\n" },
    { path: "d.txt", kind: { type: "delete" }, diff: "" },
  ]);
});

test("wherever a patch breaks off, what stands before can be read", () => {
  for (let end = 0; end <= patch.length; end++) {
    const { told, preview } = watch();
    preview.end(patch.slice(0, end));
    const [changes = []] = told;
    const whole = (patch.slice(0, end).match(/^\*\*\* (Add|Delete|Update) File: .+$/gm) ?? []).length;
    assert.ok(changes.length >= whole - 1, `at ${end}`);
  }
});

test("text that is no patch is not shown, and the same is not shown twice", () => {
  const { told, preview } = watch();
  preview.push("hello\nworld\n");
  preview.end("hello\nworld\n");
  assert.equal(told.length, 0);
  preview.end(patch);
  preview.end(patch);
  assert.equal(told.length, 1);
});
