import type { JsonSchema } from "./json-schema.ts";
import { isObject } from "./json-value.ts";
import { type Decode, StrictConverter } from "./strict-converter.ts";

const wrapperKey = "value";
const rootDefinition = "__root";

/** A JSON Schema under the strict rules, and the way back from what a model writes under it. */
export interface StrictSchema {
  /** The schema for the model. */
  readonly schema: JsonSchema;
  /** Makes of a value under the strict schema one under the original. Values that do not fit come back as they are. */
  readonly decode: (value: unknown) => unknown;
}

/** Converts a JSON Schema to strict form. See `strictSchema`, which loads this when first needed. */
export function toStrict(original: JsonSchema): StrictSchema {
  const { $defs, definitions, $schema: _, $id: __, ...body } = original;
  const root = new StrictConverter(original);
  const entry = root.enter(body);
  const isWrapped = entry.type !== "object" || entry.anyOf !== undefined || entry.oneOf !== undefined;
  if (isWrapped) root.rootRef = `#/$defs/${rootDefinition}`;

  const converted = root.convert(entry, "");
  const groups = Object.entries({ $defs, definitions }).map(([group, members]) => [
    group,
    Object.fromEntries(
      Object.entries(isObject(members) ? members : {}).map(([name, schema]) => {
        const part = root.convert(schema, `${group}.${name}`);
        root.decoders.set(`#/${group}/${name}`, part.decode);
        return [name, part.schema];
      }),
    ),
  ]);
  const kept: Record<string, object> = Object.fromEntries(groups);
  root.decoders.set("#", converted.decode);
  if (isWrapped && root.isRootUsed) kept.$defs = { ...kept.$defs, [rootDefinition]: converted.schema };
  const schema = {
    ...(isWrapped ? wrap(root.isRootUsed ? { $ref: root.rootRef } : converted.schema) : converted.schema),
    ...Object.fromEntries(Object.entries(kept).filter(([, members]) => Object.keys(members).length > 0)),
  };
  root.strictRoot = schema;
  return { schema, decode: isWrapped ? unwrap(converted.decode) : converted.decode };
}

const wrap = (schema: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { [wrapperKey]: schema },
  required: [wrapperKey],
  additionalProperties: false,
});

const unwrap =
  (decode: Decode): Decode =>
  (value) =>
    isObject(value) && Object.hasOwn(value, wrapperKey) ? decode(value[wrapperKey]) : value;
