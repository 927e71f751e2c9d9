import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Definitions, isRecord, normalize, refName, type Schema } from "./schema.ts";

/** Kind of a method, by its sender and whether it expects a reply. */
export type Kind = "clientRequest" | "clientNotification" | "serverRequest" | "serverNotification";

/** A method as the schema lists it. */
export interface WireMethod {
  readonly method: string;
  readonly kind: Kind;
  /** The definition of the params; `null` where the method takes none. */
  readonly params: string | null;
  /** True if the sender may omit the params. */
  readonly optional: boolean;
}

/** The protocol of one Codex binary. */
export interface Surface {
  readonly definitions: Definitions;
  readonly methods: readonly WireMethod[];
  /** Method names by kind, as the TypeScript output lists them: it is the more complete one. */
  readonly names: ReadonlyMap<Kind, readonly string[]>;
  /** Names that both namespaces of the schema use, for different things. Old versions have some. */
  readonly clashes: readonly string[];
  /** Fields that the TypeScript output marks with `?`, by type: only these may be left out of what a server sends. */
  readonly optional: ReadonlyMap<string, ReadonlySet<string>>;
  /** Numbers in what the schema says of a field, as in `3, 512` of `PluginInterface.defaultPrompt`: no keyword has its limits. */
  readonly limits: ReadonlyMap<string, string>;
}

/** The four definitions that list methods, and the kind of each. */
const lists: readonly (readonly [definition: string, kind: Kind])[] = [
  ["ClientRequest", "clientRequest"],
  ["ClientNotification", "clientNotification"],
  ["ServerRequest", "serverRequest"],
  ["ServerNotification", "serverNotification"],
];

// Envelopes belong to the JSON-RPC layer; the Nullable ones only spell out that params may be left out.
const isEnvelope = (name: string): boolean =>
  lists.some(([list]) => list === name) || name.startsWith("JSONRPC") || name.startsWith("Nullable");

/** Asks a Codex binary for its protocol. */
export function readSurface(binary: string, options: { readonly experimental: boolean }): Surface {
  const directory = mkdtempSync(join(tmpdir(), "quire-protocol-"));
  try {
    const flags = options.experimental ? ["--experimental"] : [];
    // A home of its own: Codex may write there, and the user's config must not matter.
    const env = { ...process.env, CODEX_HOME: directory };
    const run = (what: string): string => {
      const out = join(directory, what);
      execFileSync(binary, ["app-server", what, ...flags, "--out", out], { env, stdio: ["ignore", "ignore", "pipe"] });
      return out;
    };
    const json = run("generate-json-schema");
    const bundle: unknown = JSON.parse(readFileSync(join(json, "codex_app_server_protocol.schemas.json"), "utf8"));
    const { raw, clashes } = flatten(bundle);
    const types = run("generate-ts");
    const [names, optional] = [namesIn(types), optionalIn(types)];
    return {
      definitions: definitionsOf(raw),
      methods: methodsOf(raw),
      names,
      clashes,
      optional,
      limits: limitsOf(raw),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Merges both namespaces; where both hold a name, the v2 one is what today's methods use. */
function flatten(bundle: unknown): { raw: Record<string, unknown>; clashes: string[] } {
  const all = isRecord(bundle) ? bundle.definitions : undefined;
  if (!isRecord(all) || !isRecord(all.v2)) throw new Error("the schema bundle has no definitions");
  const { v2, ...rest } = all;
  const clashes = Object.keys(rest).filter((name) => {
    if (!(name in v2) || isEnvelope(name)) return false;
    return shapeOf(normalize(rest[name], name)) !== shapeOf(normalize(v2[name], name));
  });
  return { raw: { ...rest, ...v2 }, clashes };
}

const shapeOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) => (key === "title" || key === "default" ? undefined : value));

function definitionsOf(raw: Record<string, unknown>): Definitions {
  const names = Object.keys(raw)
    .filter((name) => !isEnvelope(name))
    .sort();
  return new Map(names.map((name) => [name, normalize(raw[name], name)]));
}

function limitsOf(raw: Record<string, unknown>): Map<string, string> {
  const fields = Object.entries(raw).flatMap(([type, schema]) =>
    isRecord(schema) && isRecord(schema.properties)
      ? Object.entries(schema.properties).map(([field, value]) => [`${type}.${field}`, value] as const)
      : [],
  );
  return new Map(
    fields.flatMap(([name, value]): [string, string][] => {
      const said = isRecord(value) && typeof value.description === "string" ? value.description : "";
      const numbers = said.match(/\b\d+\b/g) ?? [];
      return numbers.length > 0 ? [[name, numbers.join(", ")]] : [];
    }),
  );
}

function methodsOf(raw: Record<string, unknown>): WireMethod[] {
  return lists.flatMap(([list, kind]) => {
    const schema = normalize(raw[list], list);
    const rows = typeof schema === "object" ? (schema.oneOf ?? []) : [];
    return rows.map((row) => methodOf(row, kind));
  });
}

function methodOf(row: Schema, kind: Kind): WireMethod {
  const properties = typeof row === "object" ? row.properties : undefined;
  const named = properties?.method;
  const method = typeof named === "object" ? named.enum?.[0] : undefined;
  if (typeof row === "boolean" || typeof method !== "string") throw new Error(`a ${kind} has no method name`);
  return { method, kind, ...paramsOf(properties?.params), optional: row.required?.includes("params") !== true };
}

/** Params are a reference, a nullable reference, or nothing. */
function paramsOf(schema: Schema | undefined): { params: string | null } {
  if (schema === undefined || typeof schema === "boolean") return { params: null };
  const refs = [schema, ...(schema.anyOf ?? [])].flatMap((part) =>
    typeof part === "object" && part.$ref !== undefined ? [refName(part.$ref)] : [],
  );
  return { params: refs[0] ?? null };
}

function namesIn(directory: string): Map<Kind, string[]> {
  const names = new Map<Kind, string[]>();
  for (const [list, kind] of lists) {
    const file = join(directory, `${list}.ts`);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    names.set(
      kind,
      [...text.matchAll(/"method": ?"([^"]+)"/g)].flatMap((match) => match[1] ?? []),
    );
  }
  return names;
}

function optionalIn(directory: string): Map<string, Set<string>> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return new Map(
    // Of two types with one name, the one in a folder comes later and is the one that is used.
    files
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .map((file) => {
        const text = readFileSync(join(directory, file), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "");
        return [
          basename(file, ".ts"),
          new Set([...text.matchAll(/([\w$]+)"?\?:/g)].flatMap((match) => match[1] ?? [])),
        ];
      }),
  );
}
