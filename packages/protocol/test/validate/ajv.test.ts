import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { schemaOf, typeNames, validateType } from "@quire/protocol/validate";
import { random } from "@quire/testkit";
import { Sampler } from "@quire/testkit/sampler";
import { Ajv, type ErrorObject } from "ajv";

const samplesOfEach = 12;
const seed = Number(process.env.QUIRE_SEED ?? Math.floor(Math.random() * 2 ** 31));

const bounds: { readonly [format: string]: readonly [number, number] } = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
};

/** Ajv over the same definitions, with the formats that mean something to a JavaScript number. */
function ajvOverProtocol(): Ajv {
  const ajv = new Ajv({ strict: false, logger: false });
  for (const [format, [least, most]] of Object.entries(bounds)) {
    ajv.addFormat(format, { type: "number", validate: (value: number) => value >= least && value <= most });
  }
  ajv.addSchema({
    $id: "protocol",
    definitions: Object.fromEntries(typeNames().map((name) => [name, schemaOf(name)])),
  });
  return ajv;
}

/** Ajv counts how many branches of a `oneOf` hold; ours stops at the first. */
const isExclusivity = (errors: readonly ErrorObject[] | null | undefined): boolean =>
  errors?.some((error) => error.keyword === "oneOf" && error.params.passingSchemas !== null) === true;

describe("the validator and Ajv", () => {
  it(`agree on random values of every type (QUIRE_SEED=${seed})`, { timeout: 120_000 }, () => {
    console.log(`QUIRE_SEED=${seed}`);
    const ajv = ajvOverProtocol();
    const sampler = new Sampler(random(seed));
    const verdicts = { valid: 0, invalid: 0, exclusive: 0 };
    for (const name of typeNames()) {
      const theirs = ajv.getSchema(`protocol#/definitions/${name}`);
      assert.ok(theirs !== undefined, name);
      for (let round = 0; round < samplesOfEach; round += 1) {
        const sample = sampler.sample(schemaOf(name));
        const value = round % 3 === 0 ? sample : sampler.mutate(sample);
        const ours = validateType(name, value);
        if (theirs(value) !== ours.ok) {
          assert.ok(ours.ok && isExclusivity(theirs.errors), `${name}: ${JSON.stringify(value)}`);
          verdicts.exclusive += 1;
        } else verdicts[ours.ok ? "valid" : "invalid"] += 1;
        if (!ours.ok) assert.ok(ours.issues.length > 0, `${name}: no issue for ${JSON.stringify(value)}`);
      }
    }
    assert.ok(verdicts.valid > 2000 && verdicts.invalid > 1000, JSON.stringify(verdicts));
    assert.ok(verdicts.exclusive < 50, JSON.stringify(verdicts));
  });
});
