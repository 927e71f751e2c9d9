import assert from "node:assert/strict";
import { test } from "node:test";
import { type Random, random } from "@quire/testkit";
import { ResponseEvents } from "../../../src/model/responses/response-events.ts";
import { RecordingSink } from "../recording-sink.ts";

const bits = [
  "a",
  "ü",
  "😀",
  '"',
  "\\",
  "\n",
  "\t",
  "{",
  "}",
  ",",
  '","delta":"',
  '"sequence_number":9',
  "\u2028",
  " ",
  "0",
  '\\"',
];

function text(dice: Random): string {
  return Array.from({ length: dice.int(0, 6) }, () => dice.pick(bits)).join("");
}

/** A delta as some provider may write it: any order of fields, any spacing, any escapes, fields within fields. */
function encode(event: Readonly<Record<string, unknown>>, dice: Random): string {
  const order = dice.shuffle(Object.entries(event));
  const json = JSON.stringify(Object.fromEntries(order), null, dice.chance(0.2) ? 1 : 0).replaceAll("\n", "");
  return dice.chance(0.2)
    ? json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : json;
}

test("the short cut for deltas never reads anything else than a full parser", () => {
  const dice = random();
  for (let round = 0; round < 400; round++) {
    const sink = new RecordingSink();
    const events = new ResponseEvents(sink);
    const expected: unknown[][] = [];
    const fixed: Record<string, unknown> = { output_index: 0 };
    if (dice.chance()) fixed.logprobs = [{ delta: text(dice), item_id: "no" }];
    if (dice.chance(0.3)) fixed.note = text(dice);
    for (let sequence = 0; sequence < 12; sequence++) {
      const event: Record<string, unknown> = { type: "response.output_text.delta", ...fixed, delta: text(dice) };
      event.item_id = dice.chance(0.9) ? "msg_1" : text(dice);
      if (dice.chance(0.9)) event.sequence_number = sequence;
      if (dice.chance(0.1)) event.obfuscation = text(dice);
      expected.push(["text", event.item_id, event.delta]);
      events.take(encode(event, dice.chance(0.8) ? plain : dice));
    }
    assert.deepEqual(sink.calls, expected);
  }
});

/** Leaves everything in order, so that most events fit the template. */
const plain: Random = { ...random(1), shuffle: (items) => [...items], chance: () => false };

test("data that is no JSON, and events nobody knows, are skipped", () => {
  const sink = new RecordingSink();
  const events = new ResponseEvents(sink);
  for (const data of [
    "[DONE]",
    "{nonsense",
    "null",
    "5",
    '{"type":"response.new_thing"}',
    '{"type":"response.output_item.done"}',
  ]) {
    events.take(data);
  }
  assert.deepEqual(sink.calls, []);
  assert.equal(events.outcome, undefined);
});

test("a piece that does not say where it belongs goes to the item that was announced last", () => {
  const sink = new RecordingSink();
  const events = new ResponseEvents(sink);
  for (const id of ["one", "two"]) {
    const item = { type: "message", role: "assistant", id, content: [] };
    events.take(JSON.stringify({ type: "response.output_item.added", item }));
    for (const delta of ["a", "b"]) events.take(JSON.stringify({ type: "response.output_text.delta", delta }));
  }
  const deltas = sink.calls.filter(([name]) => name === "text");
  assert.deepEqual(deltas, [
    ["text", "one", "a"],
    ["text", "one", "b"],
    ["text", "two", "a"],
    ["text", "two", "b"],
  ]);
});

test("nothing is delivered after the end of a response", () => {
  const sink = new RecordingSink();
  const events = new ResponseEvents(sink);
  events.take('{"type":"response.completed","response":{"id":"r","end_turn":false}}');
  events.take('{"type":"response.output_text.delta","item_id":"m","delta":"late"}');
  assert.deepEqual(events.outcome, { responseId: "r", usage: null, endTurn: false });
  assert.deepEqual(sink.calls, []);
});
