import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptWords } from "../../src/words/words.ts";

test("words of scripts hold nothing that a shell takes for its own within double quotes", () => {
  for (const words of Object.values(scriptWords)) {
    const text = typeof words === "string" ? words : (words as (...values: string[]) => string)("", "");
    assert.doesNotMatch(text, /["$`\\]/);
  }
});
