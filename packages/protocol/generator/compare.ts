import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./codex-binary.ts";

/** Folder of the generated files. */
export const outputDirectory: string = join(repositoryRoot, "packages/protocol/src/generated");

/** A difference between the committed files and the generator's output. */
export interface Drift {
  readonly change: "added" | "removed" | "changed";
  /** Name of the type, method, schema, version entry or file. */
  readonly what: string;
  readonly name: string;
}

/** Reads a folder of generated files. */
export function readGenerated(directory: string): Map<string, string> {
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".ts")) : [];
  return new Map(names.sort().map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

/** Lists what differs, by name. Equal inputs give an empty list, and different ones never do. */
export function compare(committed: ReadonlyMap<string, string>, fresh: ReadonlyMap<string, string>): Drift[] {
  const [before, after] = [partsOf(committed), partsOf(fresh)];
  const drifts: Drift[] = [];
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    if (before.get(key) === after.get(key)) continue;
    const [what = "", name = ""] = key.split("\t");
    const change = before.has(key) ? (after.has(key) ? "changed" : "removed") : "added";
    drifts.push({ change, what, name });
  }
  if (drifts.length > 0) return drifts;
  // Same parts in another order, or text outside of any part.
  return [...new Set([...committed.keys(), ...fresh.keys()])]
    .filter((file) => committed.get(file) !== fresh.get(file))
    .map((name) => ({ change: "changed", what: "file", name }));
}

/** Cuts files into named parts: one for each declared type, and for each row of a table. */
function partsOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [file, text] of files) {
    if (file === "versions.ts") versionParts(text, parts);
    else if (file === "codex-version.ts") parts.set("version\tcodexVersion", text);
    else if (file === "methods.ts") rowParts("method", text, parts);
    else if (file === "defaults.ts") rowParts("defaults of", text, parts);
    else if (file === "schemas.ts") rowParts("schema", text, parts);
    else if (file === "method-types.ts") rowParts("method type", text, parts);
    else if (file === "typescript.ts") rowParts("TypeScript", text, parts);
    else if (file === "json-schema.ts") rowParts("JSON Schema", text, parts);
    else declarationParts(text, parts);
  }
  return parts;
}

function declarationParts(text: string, parts: Map<string, string>): void {
  for (const block of text.split(/\n(?=\/\*\*)/)) {
    const name = /^export (?:interface|type) (\w+)/m.exec(block)?.[1];
    if (name !== undefined) parts.set(`type\t${name}`, block.trim());
  }
}

function rowParts(what: string, text: string, parts: Map<string, string>): void {
  for (const [, name, row] of text.matchAll(/^ {2}"?([\w/]+)"?: (.*)$/gm)) parts.set(`${what}\t${name}`, row ?? "");
}

function versionParts(text: string, parts: Map<string, string>): void {
  let table = "";
  for (const line of text.split("\n")) {
    table = /^export const (\w+)/.exec(line)?.[1] ?? table;
    const [, span = "", names = "[]"] = /^ {2}"([\d.]+)": (\[.*\]),$/.exec(line) ?? [];
    for (const name of JSON.parse(names) as string[]) parts.set(`${table} entry\t${name}`, span);
  }
}
