import type { StandardProps, StandardSchema } from "./standard-schema.ts";

/** A JSON Schema, draft-07 or 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema that carries the type of its values. */
export interface TypedJsonSchema<T> extends StandardSchema<T> {
  readonly "~standard": StandardProps<T> & { readonly jsonSchema: object };
}

/**
 * Gives a JSON Schema the type of its values, so that tools and outputs know it:
 *
 * ```ts
 * jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } }, required: ["city"] });
 * ```
 */
export function jsonSchema<T = unknown>(schema: JsonSchema): TypedJsonSchema<T> {
  const copy = () => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "quire",
      async validate(value) {
        // Loaded when first needed: a page that brings a schema library need not carry it.
        const { checkJsonSchema } = await import("./check-json-schema.ts");
        const issues = checkJsonSchema(schema, value).map(({ keys, message }) => ({ path: keys, message }));
        return issues.length === 0 ? { value: value as T } : { issues };
      },
      jsonSchema: { input: copy, output: copy },
    },
  };
}
