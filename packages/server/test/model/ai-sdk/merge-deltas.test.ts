import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { DeltaMerger, mergeDeltas } from "../../../src/model/ai-sdk/merge-deltas.ts";

const delta = (content: string, index = 0) =>
  `data: {"choices":[{"index":${index},"delta":{"content":${JSON.stringify(content)}}}]}\n\n`;

function textsOf(stream: string): string[] {
  return stream.split("\n\n").flatMap((block) => {
    const data = /^data: (\{.*)$/m.exec(block)?.[1];
    return data === undefined ? [] : [JSON.parse(data).choices[0].delta.content as string];
  });
}

test("text that arrives at once becomes one piece, with all its characters", () => {
  const pieces = ['say "hi"', "a\\", "\n", "🌍", "\ud83c", "\udf0d", "}]", '"', "data: x"];
  const merged = new DeltaMerger().push(pieces.map((piece) => delta(piece)).join(""));
  assert.deepEqual(textsOf(merged), [pieces.join("")]);
});

test("wherever the stream is cut, no character is lost or moved", () => {
  const source = random(7);
  const pieces = Array.from({ length: 40 }, (_, n) => `${n}"\\🌍${"x".repeat(n % 5)}`);
  const stream = pieces.map((piece, n) => delta(piece, n > 20 ? 1 : 0)).join("");
  for (let round = 0; round < 50; round++) {
    const merger = new DeltaMerger();
    let out = "";
    for (let at = 0; at < stream.length; ) {
      const end = at + 1 + source.int(0, 300);
      out += merger.push(stream.slice(at, end));
      at = end;
    }
    assert.equal(textsOf(out + merger.end()).join(""), pieces.join(""));
  }
});

test("what is not the same but for its text stays apart, in its place", () => {
  const events = [
    delta("a"),
    delta("b", 1),
    ": a comment\n\n",
    'data: {"choices":[],"usage":{"total_tokens":3}}\n\n',
    delta("c"),
    'event: error\ndata: {"error":{"message":"no"}}\n\n',
    "data: [DONE]\n\n",
  ];
  assert.equal(new DeltaMerger().push(events.join("")), events.join(""));
});

test("a piece that came alone is not held back, and other line ends become line feeds, wherever they are cut", () => {
  const merger = new DeltaMerger();
  assert.equal(merger.push(delta("a")), delta("a"));
  assert.equal(merger.push("data: {"), "");
  assert.equal(merger.end(), "data: {");
  for (const lineEnd of ["\r\n", "\r"]) {
    const other = (delta("a") + delta("b", 1)).replaceAll("\n", lineEnd);
    for (let size = 1; size < other.length; size++) {
      const pieces = Array.from({ length: Math.ceil(other.length / size) }, (_, n) =>
        other.slice(n * size, (n + 1) * size),
      );
      assert.equal(pieces.map((piece) => merger.push(piece)).join("") + merger.end(), delta("a") + delta("b", 1));
    }
  }
});

test("bytes that are cut within a character come whole", async () => {
  const bytes = new TextEncoder().encode(delta("🌍") + delta("🌍"));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.equal(textsOf(await new Response(mergeDeltas(body)).text()).join(""), "🌍🌍");
});
