import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { schemaFolder } from "./layout.ts";
import { type Method, references, type Schema, type Surface } from "./surface.ts";

const draft = "http://json-schema.org/draft-07/schema#";

/** Writes a file for the params and the result of every method, one for each direction, and two with everything. */
export function writeJsonSchema(out: string, { methods, types }: Surface): void {
  const asked = new Set(
    methods
      .filter(({ from, kind }) => from === "server" && kind === "request")
      .flatMap(({ params, result }) => [params ?? "", result ?? ""]),
  );
  const named = new Set(methods.flatMap(({ params, result }) => [params ?? "", result ?? ""]));
  for (const [name, schema] of types) {
    if (!named.has(name) && name !== "RequestId") continue;
    put(join(out, schemaFolder(name, asked), `${name}.json`), whole(schema, types, name));
  }
  for (const [name, union] of Object.entries(unions(methods)))
    put(join(out, `${name}.json`), whole(union, types, name));
  const older = [...types].filter(([name]) => schemaFolder(name, asked) !== "v2");
  const newer = [...types].filter(([name]) => schemaFolder(name, asked) === "v2");
  const bundle = (title: string, definitions: object) => ({ $schema: draft, definitions, title, type: "object" });
  const all = { ...Object.fromEntries(older), ...unions(methods), v2: Object.fromEntries(newer) };
  put(join(out, "codex_app_server_protocol.schemas.json"), bundle("CodexAppServerProtocol", all));
  const flat = bundle("CodexAppServerProtocolV2", { ...Object.fromEntries(types), ...unions(methods) });
  put(join(out, "codex_app_server_protocol.v2.schemas.json"), flat);
}

/** All messages of one direction and kind, told apart by their method. */
function unions(methods: readonly Method[]): Record<string, Schema> {
  const of = (from: Method["from"], kind: Method["kind"]): Schema => ({
    oneOf: methods.filter((each) => each.from === from && each.kind === kind).map((each) => message(each)),
  });
  return {
    ClientNotification: of("client", "notification"),
    ClientRequest: of("client", "request"),
    ServerNotification: of("server", "notification"),
    ServerRequest: of("server", "request"),
  };
}

function message({ name, kind, params, optional }: Method): Schema {
  const given = params === null ? { type: "null" } : { $ref: `#/definitions/${params}` };
  const isRequest = kind === "request";
  return {
    properties: {
      ...(isRequest && { id: { $ref: "#/definitions/RequestId" } }),
      method: { enum: [name], type: "string" },
      params: given,
    },
    required: [...(isRequest ? ["id"] : []), "method", ...(params === null || optional ? [] : ["params"])],
    type: "object",
  };
}

/** A schema that stands on its own: with all that it refers to. */
function whole(schema: Schema, types: ReadonlyMap<string, Schema>, title: string): object {
  const definitions = new Map<string, Schema>();
  const visit = (name: string): void => {
    const found = types.get(name);
    if (!found || definitions.has(name)) return;
    definitions.set(name, found);
    references(found).forEach(visit);
  };
  references(schema).forEach(visit);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return { $schema: draft, ...(sorted.length > 0 && { definitions: Object.fromEntries(sorted) }), ...schema, title };
}

function put(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value, null, 2));
}
