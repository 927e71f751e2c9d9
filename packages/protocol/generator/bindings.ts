import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { repositoryRoot } from "./codex-binary.ts";
import { banner } from "./emit-types.ts";
import { isRecord } from "./schema.ts";

/** Folder of the tables for `generate-ts` and `generate-json-schema`, which only the command needs. */
export const bindingsDirectory: string = join(repositoryRoot, "packages/cli/src/schema/generated");

/** A text of the stable and of the experimental output; `null` where that one lacks it. */
type Pair = readonly [stable: string | null, experimental: string | null];

/** Makes the tables from which the command writes what Codex's own writes, without its prose. Text by file name. */
export function generateBindings(binary: string): ReadonlyMap<string, string> {
  const directory = mkdtempSync(join(tmpdir(), "quire-bindings-"));
  try {
    const outputs = (["stable", "experimental"] as const).map((kind) => {
      const run = (what: string): string => {
        const out = join(directory, `${what}-${kind}`);
        const flags = kind === "experimental" ? ["--experimental"] : [];
        const env = { ...process.env, CODEX_HOME: directory };
        execFileSync(binary, ["app-server", what, ...flags, "--out", out], {
          env,
          stdio: ["ignore", "ignore", "pipe"],
        });
        return out;
      };
      return { types: readTypes(run("generate-ts")), schemas: readSchemas(run("generate-json-schema")) };
    });
    const [stable, experimental] = outputs;
    if (!stable || !experimental) throw new Error("Codex wrote nothing");
    return new Map([
      ["typescript.ts", emit("types", "TypeScript by path", join2(stable.types, experimental.types))],
      ["json-schema.ts", emit("schemas", "JSON Schema by name", join2(stable.schemas, experimental.schemas))],
    ]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function join2(stable: ReadonlyMap<string, string>, experimental: ReadonlyMap<string, string>): Map<string, Pair> {
  const names = [...new Set([...stable.keys(), ...experimental.keys()])].sort();
  return new Map(names.map((name) => [name, [stable.get(name) ?? null, experimental.get(name) ?? null]]));
}

function emit(name: string, what: string, rows: ReadonlyMap<string, Pair>): string {
  const lines = [...rows].map(([key, [stable, experimental]]) => {
    const value = stable === experimental ? quote(stable) : `[${quote(stable)}, ${quote(experimental)}]`;
    return `  "${key}": ${value},`;
  });
  return [
    banner,
    `/** ${what}; a pair where the stable and the experimental one differ, with \`null\` where there is none. */`,
    `export const ${name}: { readonly [name: string]: string | readonly [string | null, string | null] } = {`,
    ...lines,
    "};\n",
  ].join("\n");
}

const quote = (text: string | null): string =>
  text === null ? "null" : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;

/**
 * Definitions of types (the text after `export type X =`) by path without the extension, comments removed. If a name
 * exists twice and the one in another folder is meant, that folder precedes it.
 */
function readTypes(directory: string): Map<string, string> {
  const types = new Map<string, string>();
  const paths = new Set(filesIn(directory, ".ts").filter((path) => !path.endsWith("index")));
  for (const path of paths) {
    const text = readFileSync(join(directory, `${path}.ts`), "utf8").replace(/\s*\/\*\*[\s\S]*?\*\/\s*/g, " ");
    const body = /export type \w+ = ?([\s\S]*);\s*$/.exec(text)?.[1];
    if (body === undefined || body.includes("*/")) throw new Error(`${path}.ts is not one type`);
    const elsewhere = [...text.matchAll(/import type \{ \w+ \} from "([^"]+)"/g)]
      .map(([, from = ""]) => posix.join(posix.dirname(path), from))
      .filter((from) => paths.has(posix.join(posix.dirname(path), posix.basename(from))))
      .filter((from) => posix.dirname(from) !== posix.dirname(path));
    const qualified = elsewhere.reduce(
      (all, from) => all.replace(new RegExp(`\\b${posix.basename(from)}\\b`, "g"), from),
      body.replace(/\s*\n\s*/g, " "),
    );
    types.set(path, qualified);
  }
  return types;
}

/**
 * Every definition, by the places where it stands and its name, as in `top+file:v2 RequestId`: `top` and `v2` in the
 * bundle with two namespaces, `flat` in the other bundle, `file:FOLDER` in a file of its own, `in:NAME` in the file of
 * another that does not refer to it.
 */
function readSchemas(directory: string): Map<string, string> {
  const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(directory, path), "utf8"));
  const all = read("codex_app_server_protocol.schemas.json").definitions;
  const flat = read("codex_app_server_protocol.v2.schemas.json").definitions;
  if (!isRecord(all) || !isRecord(all.v2) || !isRecord(flat)) throw new Error("the schema bundles have no definitions");
  const { v2, ...top } = all;
  const files = new Map(
    filesIn(directory, ".json").map((path) => [path.split("/").at(-1) ?? "", path.split("/").slice(0, -1).join("/")]),
  );
  const strays = new Map(
    [...files].map(([name, folder]) => [name, straysOf(read(posix.join(folder, `${name}.json`)))]),
  );
  const schemas = new Map<string, string>();
  for (const name of new Set([...Object.keys(top), ...Object.keys(v2), ...Object.keys(flat)])) {
    const places = [
      ...(name in top ? ["top"] : []),
      ...(name in v2 ? ["v2"] : []),
      ...(name in flat ? ["flat"] : []),
      ...(files.has(name) ? [`file:${files.get(name)}`] : []),
      ...[...files].filter(([file]) => strays.get(file)?.includes(name)).map(([file]) => `in:${file}`),
    ];
    schemas.set(name, `${places.join("+")} ${JSON.stringify(bare(v2[name] ?? top[name] ?? flat[name]))}`);
  }
  return schemas;
}

/** Definitions of a file that nothing in it refers to. */
function straysOf(file: Record<string, unknown>): string[] {
  const refs = new Set([...JSON.stringify(file).matchAll(/"\$ref":"#\/definitions\/(\w+)"/g)].map(([, name]) => name));
  return Object.keys(isRecord(file.definitions) ? file.definitions : {}).filter((name) => !refs.has(name));
}

/** A schema without its prose, and with every reference in one namespace. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if ((key === "description" || key === "$schema") && typeof inner === "string") return [];
      if (key === "$ref" && typeof inner === "string") return [[key, `#/definitions/${inner.split("/").at(-1)}`]];
      return [[key, bare(inner)]];
    }),
  );
}

function filesIn(directory: string, ending: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length).replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("codex_app_server_protocol"))
    .sort();
}
