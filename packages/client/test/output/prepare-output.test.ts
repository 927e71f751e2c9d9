import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchema, OutputError, SchemaError } from "@quire/client";
import { prepareOutput } from "@quire/client/schemas";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertStrict } from "../schema/strict-rules.ts";

interface Verdict {
  readonly pass: boolean;
  readonly why?: string | undefined;
}

test("an output described by any library goes out strict and comes back typed and validated", async () => {
  const schemas = {
    zod: z.object({ pass: z.boolean(), why: z.string().optional() }),
    valibot: v.object({ pass: v.boolean(), why: v.optional(v.string()) }),
    arktype: type({ pass: "boolean", "why?": "string" }),
    json: jsonSchema<Verdict>({
      type: "object",
      properties: { pass: { type: "boolean" }, why: { type: "string" } },
      required: ["pass"],
    }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const output = await prepareOutput<Verdict>(schema);
    assertStrict(output.outputSchema);
    assert.deepEqual(await output.parse('{"pass":true,"why":null}'), { pass: true }, name);
    assert.deepEqual(await output.parse('{"pass":true}'), { pass: true }, name);
    await assert.rejects(output.parse('{"pass":"yes","why":null}'), (error) => {
      assert.ok(OutputError.is(error), name);
      assert.equal(error.text, '{"pass":"yes","why":null}');
      assert.deepEqual(
        error.issues.map(({ path }) => path),
        ["pass"],
        name,
      );
      assert.match(error.message, /does not fit the schema:\n- pass: /);
      return true;
    });
  }
});

test("the type of an output is inferred", async () => {
  const output = await prepareOutput(z.object({ at: z.string().transform((text) => new Date(text)) }));
  (await output.parse('{"at":"2026-01-01"}')).at satisfies Date;
  const list = await prepareOutput(v.array(v.number()));
  (await list.parse('{"value":[1]}')) satisfies number[];
  const ark = await prepareOutput(type("'a' | 'b'"));
  (await ark.parse('{"value":"a"}')) satisfies "a" | "b";
  const bare = await prepareOutput({ type: "string" });
  const value: unknown = await bare.parse('{"value":"x"}');
  assert.equal(value, "x");
});

test("defaults apply where the model left something out", async () => {
  const output = await prepareOutput(z.object({ tries: z.number().default(3) }));
  assert.deepEqual(await output.parse('{"tries":null}'), { tries: 3 });
});

test("rules that strict mode does not know still hold", async () => {
  const output = await prepareOutput(z.object({ name: z.string().min(3) }));
  assert.deepEqual(output.outputSchema.properties, { name: { type: "string" } });
  await assert.rejects(output.parse('{"name":"ab"}'), OutputError.is);
});

test("text that is no JSON is an error that holds the text; a fence around JSON is no matter", async () => {
  const output = await prepareOutput(z.object({ a: z.number() }));
  await assert.rejects(output.parse("I cannot do that."), (error) => {
    assert.ok(OutputError.is(error) && error instanceof OutputError);
    assert.equal(error.name, "OutputError");
    assert.equal(error.text, "I cannot do that.");
    assert.deepEqual(error.issues, [{ path: "", message: "is not JSON" }]);
    assert.ok(error.cause instanceof SyntaxError);
    return true;
  });
  assert.equal(OutputError.is(new Error("x")), false);
  assert.deepEqual(await output.parse('```json\n{ "a": 1 }\n```\n'), { a: 1 });
});

test("a schema that strict mode cannot express fails before the turn, with its path", async () => {
  await assert.rejects(prepareOutput(z.object({ counts: z.record(z.string(), z.number()) })), (error) => {
    assert.ok(SchemaError.is(error));
    assert.equal(error.path, "counts");
    return true;
  });
});
