import { branchesOf, type Definitions, isNull, type ObjectSchema, refName, refsIn, type Schema } from "./schema.ts";
import type { Kind, Surface } from "./surface.ts";

/** The protocol of one Codex, fact by fact: `request thread/start`, `field Thread.name` and their descriptions. */
export type Description = ReadonlyMap<string, string>;

const kinds: Readonly<Record<Kind, string>> = {
  clientRequest: "request",
  clientNotification: "client notification",
  serverRequest: "server request",
  serverNotification: "notification",
};

/** Describes one version from its experimental and its stable output. */
export function describeSurface(experimental: Surface, stable: Surface): Description {
  const facts = new Map<string, string>();
  const stableNames = new Set([...stable.names.values()].flat());
  for (const [kind, names] of experimental.names) {
    for (const name of names) facts.set(`${kinds[kind]} ${name}`, stableNames.has(name) ? "" : "experimental");
  }
  for (const { method, params } of experimental.methods) facts.set(`params ${method}`, params ?? "none");
  const sides = sidesOf(experimental);
  for (const [name, schema] of experimental.definitions) {
    const side = sides.get(name);
    if (side === undefined) continue;
    facts.set(`type ${name}`, side);
    describeType(name, schema, facts);
  }
  for (const [field, numbers] of experimental.limits) {
    if (facts.has(`field ${field}`)) facts.set(`limit ${field}`, numbers);
  }
  return new Map([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describeType(name: string, schema: Schema, facts: Map<string, string>): void {
  if (typeof schema === "boolean") return;
  for (const [field, value] of Object.entries(schema.properties ?? {})) {
    const isOptional = schema.required?.includes(field) !== true;
    facts.set(`field ${name}.${field}`, `${typeText(value)}${isOptional ? ", optional" : ""}`);
  }
  for (const value of schema.enum ?? []) facts.set(`variant ${name} ${String(value)}`, "");
  for (const branch of branchesOf(schema)) {
    if (isNull(branch)) continue;
    const tag = tagOf(branch);
    if (tag === undefined) {
      // A list of plain names inside a union of objects: each name is a variant of the whole.
      if (typeof branch === "object" && branch.enum) describeType(name, { enum: branch.enum }, facts);
      else facts.set(`variant ${name} ${typeText(branch)}`, "");
      continue;
    }
    facts.set(`variant ${name} ${tag}`, "");
    if (typeof branch === "object") describeType(`${name}(${tag})`, { ...branch, enum: [] }, facts);
  }
}

/** Distinguishing mark of a union's branch: the value of a one-valued field, or its only field. */
function tagOf(branch: Schema): string | undefined {
  if (typeof branch === "boolean" || branch.properties === undefined) return undefined;
  for (const value of Object.values(branch.properties)) {
    if (typeof value === "object" && value.enum?.length === 1) return String(value.enum[0]);
  }
  return branch.required?.join("+") || Object.keys(branch.properties).join("+");
}

/** A schema in a few words: `string | null`, `Turn[]`. */
function typeText(schema: Schema): string {
  if (typeof schema === "boolean") return schema ? "anything" : "nothing";
  if (schema.$ref !== undefined) return refName(schema.$ref);
  const parts = [...branchesOf(schema), ...(schema.allOf ?? [])];
  if (parts.length > 0) return [...new Set(parts.map(typeText))].join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = [schema.type ?? "anything"].flat();
  return types.map((type) => plainText(type, schema)).join(" | ");
}

function plainText(type: string, schema: ObjectSchema): string {
  if (type === "array") return `${schema.items === undefined ? "anything" : bracketed(typeText(schema.items))}[]`;
  if (type !== "object") return type;
  if (schema.additionalProperties !== undefined && typeof schema.additionalProperties === "object") {
    return `{ [name]: ${typeText(schema.additionalProperties)} }`;
  }
  const fields = Object.entries(schema.properties ?? {}).map(([name, value]) => `${name}: ${typeText(value)}`);
  return fields.length === 0 ? "object" : `{ ${fields.join("; ")} }`;
}

const bracketed = (text: string): string => (text.includes(" | ") ? `(${text})` : text);

/** Direction of each type: `sent` by a client, `received`, or `both`. Types that no method uses are left out. */
function sidesOf({ definitions, methods }: Surface): Map<string, string> {
  const params = methods.flatMap(({ kind, params: name }) => (name === null ? [] : [{ kind, name }]));
  const fromClient = params.filter(({ kind }) => kind.startsWith("client")).map(({ name }) => name);
  const fromServer = params.filter(({ kind }) => kind.startsWith("server")).map(({ name }) => name);
  // Every result's name ends so; those of the few requests of a server are sent by clients.
  const asked = new Set(
    params.flatMap(({ kind, name }) => (kind === "serverRequest" ? [name.replace(/Params$/, "Response")] : [])),
  );
  const results = [...definitions.keys()].filter((name) => name.endsWith("Response"));
  const sent = reachable(definitions, [...fromClient, ...results.filter((name) => asked.has(name))]);
  const received = reachable(definitions, [...fromServer, ...results.filter((name) => !asked.has(name))]);
  return new Map(
    [...new Set([...sent, ...received])].map((name) => [
      name,
      sent.has(name) ? (received.has(name) ? "both" : "sent") : "received",
    ]),
  );
}

function reachable(definitions: Definitions, roots: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const schema = definitions.get(name);
    if (seen.has(name) || schema === undefined) return;
    seen.add(name);
    for (const ref of refsIn(schema)) visit(ref);
  };
  for (const root of roots) visit(root);
  return seen;
}
