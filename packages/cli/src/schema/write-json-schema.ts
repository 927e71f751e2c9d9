import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { schemas } from "./generated/json-schema.ts";
import { pick } from "./pick.ts";

const draft = "http://json-schema.org/draft-07/schema#";
const prefix = "#/definitions/";

interface Definition {
  /** `top`, `v2` and `flat`: its place in the bundles. */
  readonly places: ReadonlySet<string>;
  /** The folder of its own file, if it has one. */
  readonly folder: string | undefined;
  readonly schema: Record<string, unknown>;
}

type Definitions = ReadonlyMap<string, Definition>;

/** Writes a file for each message, its params and its result, and two with everything. */
export function writeJsonSchema(out: string, experimental: boolean): void {
  const definitions = read(experimental);
  // What only an experimental field leads to stays among the definitions of a stable file, as Codex has it.
  const all = experimental ? definitions : read(true);
  for (const [name, { folder, schema }] of definitions) {
    if (folder === undefined) continue;
    const strays = [...all].filter(([, { places }]) => places.has(`in:${name}`)).map(([each]) => each);
    const from = [all.get(name)?.schema ?? schema, ...strays.map((each) => all.get(each)?.schema)];
    const used = [...strays, ...usedBy(from, all)].filter((each) => definitions.has(each));
    const inner = Object.fromEntries(used.map((each) => [each, inside(definitions, each)]));
    const whole = { $schema: draft, ...(used.length > 0 && { definitions: inner }), title: name, ...schema };
    put(join(out, folder, `${name}.json`), whole);
  }
  const bundle = (title: string, all: object): object => ({ $schema: draft, definitions: all, title, type: "object" });
  put(
    join(out, "codex_app_server_protocol.schemas.json"),
    bundle("CodexAppServerProtocol", {
      ...placed(definitions, "top", (name) => (definitions.get(name)?.places.has("v2") ? `v2/${name}` : name)),
      v2: placed(definitions, "v2", (name) => `v2/${name}`),
    }),
  );
  const flat = placed(definitions, "flat", (name) => name);
  put(join(out, "codex_app_server_protocol.v2.schemas.json"), bundle("CodexAppServerProtocolV2", flat));
}

function read(experimental: boolean): Definitions {
  const definitions = new Map<string, Definition>();
  for (const [name, row] of pick(schemas, experimental)) {
    const space = row.indexOf(" ");
    const places = new Set(row.slice(0, space).split("+"));
    const file = [...places].find((place) => place.startsWith("file:"));
    definitions.set(name, { places, folder: file?.slice("file:".length), schema: JSON.parse(row.slice(space)) });
  }
  return definitions;
}

/** All definitions of a bundle's namespace. Those with a file of their own say which draft they follow. */
function placed(definitions: Definitions, place: string, target: (name: string) => string): Record<string, unknown> {
  const chosen = [...definitions].filter(([, { places }]) => places.has(place));
  return Object.fromEntries(
    chosen.map(([name, { folder, schema }]) => {
      const isPart = folder === undefined || (name === "RequestId" && place !== "top");
      return [name, redirected(isPart ? schema : { $schema: draft, title: name, ...schema }, target)];
    }),
  );
}

/** A definition as it is in the file of another: only the whole file has a title. */
function inside(definitions: Definitions, name: string): unknown {
  const found = definitions.get(name);
  if (found?.folder === undefined) return found?.schema;
  const { title: _, ...rest } = found.schema;
  // Of types of both namespaces, titles of variants name theirs only in the bundle and in their own file.
  return JSON.parse(JSON.stringify(rest).replaceAll("v2::", ""));
}

function usedBy(schema: unknown, definitions: Definitions): string[] {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    JSON.stringify(value, (key, inner: unknown) => {
      const name = key === "$ref" && typeof inner === "string" ? inner.slice(prefix.length) : undefined;
      if (name !== undefined && !names.has(name)) {
        names.add(name);
        visit(definitions.get(name)?.schema);
      }
      return inner;
    });
  };
  visit(schema);
  return [...names];
}

function redirected(schema: unknown, target: (name: string) => string): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? prefix + target(value.slice(prefix.length)) : value,
  );
}

function put(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  // Codex holds bounds as floating-point numbers, and prints them so.
  const text = JSON.stringify(sorted(value), null, 2).replace(/("(?:minimum|maximum)": -?\d+)(?=,?$)/gm, "$1.0");
  writeFileSync(path, text);
}

/** With keys in order, so that two versions can be compared line by line. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
