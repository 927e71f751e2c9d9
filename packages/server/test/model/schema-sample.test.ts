import assert from "node:assert/strict";
import { test } from "node:test";
import { offlineProvider } from "../../src/model/offline/offline-provider.ts";
import { schemaSample } from "../../src/model/offline/schema-sample.ts";
import { modelRequest, RecordingSink } from "./recording-sink.ts";

const cases: readonly [schema: unknown, value: unknown][] = [
  [{ type: "object", properties: { answer: { type: "string" } }, required: ["answer"] }, { answer: "text" }],
  [{ type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] }, { n: 3 }],
  [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.25],
  [{ type: "integer", multipleOf: 5, minimum: 12 }, 15],
  [{ enum: ["red", "green"] }, "red"],
  [{ const: 7 }, 7],
  [{ type: ["string", "null"] }, "text"],
  [{ type: "array", items: { type: "boolean" }, minItems: 2 }, [true, true]],
  [{ type: "string", maxLength: 2 }, "te"],
  [{ type: "string", minLength: 6 }, "text.."],
  [{ type: "string", format: "date" }, "2000-01-01"],
  [{ anyOf: [{ type: "null" }, { type: "integer" }] }, 0],
  [
    { allOf: [{ type: "object", properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
    { a: 1, b: 2 },
  ],
  [{ $ref: "#/$defs/leaf", $defs: { leaf: { type: "boolean" } } }, true],
];

for (const [schema, value] of cases) {
  test(`an output schema is satisfied: ${JSON.stringify(schema)}`, () => {
    assert.deepEqual(schemaSample(schema, "text"), value);
  });
}

test("a schema that refers to itself comes to an end", () => {
  const node = {
    type: "object",
    properties: {
      name: { type: "string" },
      next: { anyOf: [{ $ref: "#" }, { type: "null" }] },
      all: { type: "array", items: { $ref: "#" } },
    },
    required: ["name", "next", "all"],
  };
  assert.ok(JSON.stringify(schemaSample(node, "x")).length < 1_000_000);
});

test("with an output schema the offline model's answer is JSON that fits", async () => {
  const outputSchema = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] };
  for (const text of ["Hello", "json", "help", "think: x"]) {
    const sink = new RecordingSink();
    await offlineProvider().stream(modelRequest(text, { outputSchema }), sink, new AbortController().signal);
    assert.equal(typeof JSON.parse(sink.text).answer, "string");
  }
});
