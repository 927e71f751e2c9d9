import assert from "node:assert/strict";
import { test } from "node:test";
import { SegmentIndex } from "../../../src/items/markdown/segments.ts";
import { randomFrom } from "../random.ts";

const pieces = [
  "A paragraph of some length that goes on for a while.\n\n",
  "## A heading\n",
  "- an item\n- another\n",
  "```ts\nconst a = 1;\n\n# not a heading\n```\n",
  "\n",
  "line without a break ",
  "| a | b |\n|---|---|\n| 1 | 2 |\n",
  "😀",
];

test("a text that grows has the same segments as one that is there at once", () => {
  const { random, seed } = randomFrom();
  for (let round = 0; round < 20; round += 1) {
    const growing = new SegmentIndex();
    let text = "";
    while (text.length < 40_000) {
      text += (pieces[Math.floor(random() * pieces.length)] ?? "").repeat(Math.ceil(random() * 12));
      if (random() < 0.2) growing.update(text);
    }
    const starts = growing.update(text);
    assert.deepEqual(starts, new SegmentIndex().update(text), `seed ${seed}`);
    assert.equal(starts[0], 0);
    assert.ok(
      starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? 0)),
      `seed ${seed}`,
    );
  }
});

test("a code fence is never cut, a line without end is", () => {
  const fenced = `intro\n\n\`\`\`\n${"code\n\n# code\n".repeat(5000)}\`\`\`\n`;
  assert.deepEqual(new SegmentIndex().update(fenced), [0]);
  const starts = new SegmentIndex().update("😀".repeat(20_000));
  assert.ok(starts.length > 3);
  for (const start of starts) assert.equal(start % 2, 0, "not within a character");
});

test("a paragraph without end is cut into short stretches, between sentences or else between words", () => {
  const cuts = (text: string): readonly string[] => {
    const starts = new SegmentIndex().update(text);
    assert.ok(starts.length > 5);
    return starts.map((start, index) => {
      assert.ok((starts[index + 1] ?? text.length) - start <= 4000);
      return text.slice(Math.max(0, start - 3), start + 3);
    });
  };
  for (const cut of cuts("Some words here, and there. Then - 1. more of them. ".repeat(2000)).slice(1)) {
    assert.match(cut, /^\w[.] \w\w\w$/);
  }
  for (const cut of cuts("- many words 5 ".repeat(3000)).slice(1)) assert.match(cut, /^.. [a-z]{3}$/);
  const near = `${"word ".repeat(900)}\n\n${"word ".repeat(900)}\n`;
  assert.deepEqual(new SegmentIndex().update(near), [0, 4502]);
});

test("another text under the same index starts anew", () => {
  const index = new SegmentIndex();
  const before = index.update("# Head\n\ntext\n\n".repeat(2000)).length;
  assert.ok(before > 1);
  assert.deepEqual(index.update("other\n\n".repeat(5000)), new SegmentIndex().update("other\n\n".repeat(5000)));
});
