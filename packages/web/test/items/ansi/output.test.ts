import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputIndex } from "../../../src/items/ansi/output-index.ts";
import { parseLine } from "../../../src/items/ansi/parse-line.ts";
import { plainStyle } from "../../../src/items/ansi/style.ts";
import { randomFrom } from "../random.ts";

const linesOf = (index: OutputIndex): unknown[] => Array.from({ length: index.count }, (_, at) => index.line(at));
const textOf = (line: string): string =>
  parseLine(line, plainStyle)
    .spans.map((span) => span.text)
    .join("");

test("colours of every kind are read", () => {
  const { spans, style } = parseLine(
    "\u001b[1;31ma\u001b[38;5;208mb\u001b[48;2;1;2;3mc\u001b[38:5:9md\u001b[me",
    plainStyle,
  );
  assert.deepEqual(
    spans.map((span) => [span.text, span.style.fg, span.style.bg, span.style.bold]),
    [
      ["a", 1, null, true],
      ["b", "#ff8700", null, true],
      ["c", "#ff8700", "#010203", true],
      ["d", 9, "#010203", true],
      ["e", null, null, false],
    ],
  );
  assert.deepEqual(style, plainStyle);
});

test("whatever is no colour leaves no trace: titles, links, cursor moves, half sequences", () => {
  assert.equal(textOf("\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\"), "ab");
  assert.equal(textOf("a\u001b[2Kb\u001b[10;20Hc\u001b(Bd\u001b7e\u001b[?25lf"), "abcdef");
  assert.equal(textOf("a\u001b"), "a");
  assert.equal(textOf("a\u001b[31"), "a");
  assert.equal(textOf("a\u001b]never ends"), "a");
  assert.equal(textOf("a\u0000b\u0008c\u009bd\u007f"), "abcd");
});

test("impossible colours are ignored", () => {
  for (const codes of ["38;2;999;0;0", "38;5;256", "38;5", "38", "999", "38;2;1;2"]) {
    const { spans } = parseLine(`\u001b[${codes}mx`, plainStyle);
    assert.equal(spans[0]?.style.fg, null, codes);
  }
});

test("output that grows has the same lines as output that is there at once", () => {
  const { random, seed } = randomFrom();
  const pieces = [
    "text ",
    "\n",
    "\r\n",
    "\r",
    "\u001b[31m",
    "\u001b[0m",
    "\u001b[1;4",
    "m",
    "\u001b]0;t",
    "\u0007",
    "é😀",
    "\t",
  ];
  for (let round = 0; round < 50; round += 1) {
    const growing = new OutputIndex();
    let text = "";
    for (let step = 0; step < 200; step += 1) {
      text += pieces[Math.floor(random() * pieces.length)] ?? "";
      if (random() < 0.3) growing.update(text);
    }
    growing.update(text);
    const whole = new OutputIndex();
    whole.update(text);
    assert.deepEqual(linesOf(growing), linesOf(whole), `seed ${seed}`);
  }
});

test("a progress bar shows what was written last, a colour lasts over lines, a long line is cut", () => {
  const index = new OutputIndex();
  index.update(`10%\r50%\r100%\n\u001b[32mgreen\nstill\u001b[0m\n${"x".repeat(10_000)}\n`);
  assert.equal(index.count, 4);
  assert.equal(index.line(0).spans[0]?.text, "100%");
  assert.equal(index.line(2).spans[0]?.style.fg, 2);
  assert.equal(index.line(3).spans[0]?.text.length, 4000);
  assert.equal(index.line(3).hidden, 6000);
});

test("output whose beginning was dropped is read anew", () => {
  const index = new OutputIndex();
  index.update("a\nb\nc\n");
  index.update("b\nc\nd\n");
  assert.deepEqual(linesOf(index).length, 3);
  assert.equal(index.line(0).spans[0]?.text, "b");
});
