import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { SseParser } from "../../../src/model/responses/sse-parser.ts";

function parse(pieces: Iterable<Uint8Array>, maxBytes?: number): string[] {
  const events: string[] = [];
  const parser = new SseParser((data) => events.push(data), maxBytes);
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

const stream = [
  "\uFEFF: a comment\n",
  "event: x\ndata: plain\n\n",
  "data:no blank\r\n\r\n",
  "id: 1\nretry: 5\ndata: two\ndata: lines\n\n",
  "data: wörld 世界 😀 \u2028 \u2029 \u0085\n\n",
  "\n\n\n",
  "data\n\n",
  "data:  two blanks\n\n",
  "database: no\ndata:\n\n",
  "event: nothing\n\n",
  "data: last, unended",
].join("");
const expected = [
  "plain",
  "no blank",
  "two\nlines",
  "wörld 世界 😀 \u2028 \u2029 \u0085",
  "",
  " two blanks",
  "",
  "last, unended",
];

test("events are read right, wherever the network cuts the bytes", () => {
  const bytes = Buffer.from(stream);
  assert.deepEqual(parse([bytes]), expected);
  assert.deepEqual(parse(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
  const dice = random();
  for (let round = 0; round < 300; round++) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const length = dice.int(0, dice.pick([3, 20, 200]));
      pieces.push(bytes.subarray(at, at + length));
      at += length;
    }
    assert.deepEqual(parse(pieces), expected);
  }
});

test("an endless event does not fill the memory", () => {
  const piece = Buffer.alloc(1000, "x");
  const line = function* () {
    yield Buffer.from("data: ");
    for (;;) yield piece;
  };
  assert.throws(() => parse(line(), 10_000), /larger than 10000 bytes/);
  const lines = function* () {
    for (;;) yield Buffer.from(`data: ${"x".repeat(1000)}\n`);
  };
  assert.throws(() => parse(lines(), 10_000), /larger than 10000 bytes/);
});
