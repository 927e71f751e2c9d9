import assert from "node:assert/strict";
import { test } from "node:test";
import { splitText } from "@quire/testkit";

test("a text is cut into about equal pieces that make it up again", () => {
  assert.deepEqual([...splitText("abcdef", 3)], ["ab", "cd", "ef"]);
  assert.deepEqual([...splitText("abc", 1)], ["abc"]);
  assert.deepEqual([...splitText("", 3)], []);
  assert.deepEqual([...splitText("ab", 9)], ["a", "b"]);
});

test("no character is cut in two, since half of one is no valid JSON text", () => {
  const text = "a👍👍b👍";
  for (let count = 1; count < 12; count++) {
    const pieces = [...splitText(text, count)];
    assert.equal(pieces.join(""), text);
    for (const piece of pieces) assert.equal(piece, Buffer.from(piece).toString());
  }
});
