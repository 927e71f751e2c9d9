import assert from "node:assert/strict";
import { test } from "node:test";
import { strictSchema } from "@quire/client/schemas";
import { type Random, random } from "@quire/testkit";
import { Ajv2020 } from "ajv/dist/2020.js";
import { assertStrict } from "./strict-rules.ts";

/** A schema, a way to make values of it, and what a model writes for such a value under the strict schema. */
interface Sample {
  readonly schema: Record<string, unknown>;
  readonly make: () => { readonly value: unknown; readonly written: unknown };
  readonly hasNull?: boolean;
}

function scalar(dice: Random): Sample {
  const plain = (value: unknown) => ({ value, written: value });
  return dice.pick<() => Sample>([
    () => ({ schema: { type: "string", minLength: 1 }, make: () => plain(`s${dice.int(0, 99)}`) }),
    () => ({ schema: { type: "integer", minimum: 0 }, make: () => plain(dice.int(0, 99)) }),
    () => ({ schema: { type: "boolean", default: true }, make: () => plain(dice.chance()) }),
    () => ({ schema: { type: "null" }, make: () => plain(null), hasNull: true }),
    () => ({ schema: { type: ["number", "null"] }, make: () => plain(dice.chance() ? null : 1.5), hasNull: true }),
    () => ({ schema: { enum: ["a", "b"] }, make: () => plain(dice.pick(["a", "b"])) }),
    () => ({ schema: { const: 7, description: "seven" }, make: () => plain(7) }),
  ])();
}

function array(dice: Random, depth: number): Sample {
  const item = sample(dice, depth - 1);
  const make = () => {
    const items = Array.from({ length: dice.int(0, 3) }, item.make);
    return { value: items.map(({ value }) => value), written: items.map(({ written }) => written) };
  };
  return { schema: { type: "array", items: item.schema, uniqueItems: false }, make };
}

function object(dice: Random, depth: number, tag?: string): Sample {
  const names = ["a", "b c", "d"].slice(0, dice.int(tag === undefined ? 1 : 0, 3));
  const fields = names.map((name) => ({ name, isOptional: dice.chance(), ...sample(dice, depth - 1) }));
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  const properties: [string, unknown][] = fields.map(({ name, schema }) => [name, schema]);
  if (tag !== undefined) {
    properties.unshift(["tag", { const: tag }]);
    required.push("tag");
  }
  const make = () => {
    const value: Record<string, unknown> = tag === undefined ? {} : { tag };
    const written: Record<string, unknown> = { ...value };
    for (const field of fields) {
      // What may be null and may be absent is not told apart on the wire, so such a field is always there.
      const isAbsent = field.isOptional && field.hasNull !== true && dice.chance();
      const made = isAbsent ? undefined : field.make();
      if (made !== undefined) value[field.name] = made.value;
      written[field.name] = made === undefined ? null : made.written;
    }
    return { value, written };
  };
  return { schema: { type: "object", properties: Object.fromEntries(properties), required }, make };
}

function union(dice: Random, depth: number): Sample {
  const branches = ["one", "two"].map((tag) => object(dice, depth - 1, tag));
  if (dice.chance())
    branches.push({ schema: { type: "null" }, make: () => ({ value: null, written: null }), hasNull: true });
  const keyword = dice.pick(["anyOf", "oneOf"]);
  return {
    schema: { [keyword]: branches.map(({ schema }) => schema) },
    make: () => dice.pick(branches).make(),
    hasNull: branches.some(({ hasNull }) => hasNull === true),
  };
}

function sample(dice: Random, depth: number): Sample {
  if (depth <= 0 || dice.chance(0.4)) return scalar(dice);
  return dice.pick([array, object, union])(dice, depth);
}

test("whatever a model writes under the strict schema comes back as a value of the original", async () => {
  const dice = random();
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  for (let round = 0; round < 400; round += 1) {
    const { schema, make } = sample(dice, 3);
    const place = `seed ${dice.seed}, round ${round}, ${JSON.stringify(schema)}`;
    const strict = await strictSchema(schema);
    assertStrict(strict.schema);
    const [fitsStrict, fitsOriginal] = [ajv.compile(strict.schema), ajv.compile(schema)];
    const isWrapped = schema.type !== "object";
    for (let time = 0; time < 5; time += 1) {
      const made = make();
      const written = isWrapped ? { value: made.written } : made.written;
      assert.ok(fitsStrict(written), `${place}: ${JSON.stringify(written)}`);
      const decoded = strict.decode(written);
      assert.deepEqual(decoded, made.value, place);
      assert.ok(fitsOriginal(decoded), place);
    }
  }
});
