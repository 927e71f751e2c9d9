import { banner } from "./emit-types.ts";
import type { Model } from "./model.ts";

/** Prints every definition as a string of JSON, so that importing the module parses none of them. */
export function emitSchemas(model: Model): string {
  const rows = [...model.definitions].map(([name, schema]) => {
    // Titles name variants for the type printer, defaults are for senders; a validator has no use for them.
    const json = JSON.stringify(schema, (key, value: unknown) => (isIdle(key, value) ? undefined : value));
    return `  ${name}: ${quote(json)},`;
  });
  return [
    banner,
    "/** JSON Schema (draft-07) of every wire type, as JSON text. References read `#/definitions/Name`. */",
    `export const definitions: { readonly [name: string]: string } = {\n${rows.join("\n")}\n};\n`,
  ].join("\n");
}

/** A property called `title` holds a schema; the keyword holds a string. */
const isIdle = (key: string, value: unknown): boolean =>
  (key === "title" && typeof value === "string") || (key === "default" && (value === null || value === false));

const quote = (json: string): string => `'${json.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
