import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzyMatch } from "../../src/palette/fuzzy.ts";

const best = (query: string, texts: readonly string[]): string | undefined =>
  texts
    .flatMap((text) => {
      const match = fuzzyMatch(text, query);
      return match === undefined ? [] : [{ text, score: match.score }];
    })
    .sort((a, b) => b.score - a.score)[0]?.text;

test("what begins a word is found before what lies within one", () => {
  assert.equal(best("new", ["Renew the lease", "New thread"]), "New thread");
  assert.equal(best("nt", ["Want it", "New thread"]), "New thread");
  assert.equal(best("gp", ["Grape", "git push"]), "git push");
});

test("a whole word is found before scattered letters", () => {
  assert.equal(best("fork", ["Find other rare kinds", "Fork this thread"]), "Fork this thread");
});

test("letters that are not there, or in another order, do not match", () => {
  assert.equal(fuzzyMatch("New thread", "xyz"), undefined);
  assert.equal(fuzzyMatch("ab", "ba"), undefined);
});

test("the places of the letters are told, so that they can be marked", () => {
  assert.deepEqual(fuzzyMatch("New thread", "thr")?.at, [4, 5, 6]);
  assert.deepEqual(fuzzyMatch("New thread", "nt")?.at, [0, 4]);
});
