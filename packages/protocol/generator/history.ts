import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./codex-binary.ts";
import { branchesOf, type Definitions, type Schema } from "./schema.ts";
import { answeredSince, legacyEvents, supplementDefinitions, supplementMethods } from "./supplement.ts";
import type { Surface } from "./surface.ts";

/** File of the names that each Codex version knows, so that generating needs no old version. */
const historyFile: string = join(repositoryRoot, "packages/protocol/generator/history.tsv");

/** The names that one version knows, each as `method NAME`, `field METHOD FIELD` or `item TYPE`. */
export type Snapshot = ReadonlySet<string>;

/** Snapshots by version, oldest first. */
export type History = ReadonlyMap<string, Snapshot>;

/** Lists the names of one version. */
export function takeSnapshot(surface: Surface, version: string): Snapshot {
  const isAnswered = (name: string) => compareVersions(version, answeredSince[name] ?? version) >= 0;
  const names = [...surface.names.values()].flat().filter(isAnswered);
  const known = new Set(compareVersions(version, legacyEvents.last) <= 0 ? [...names, legacyEvents.name] : names);
  const lines = [...known].map((method) => `method ${method}`);
  const definitions = new Map([...Object.entries(supplementDefinitions), ...surface.definitions]);
  for (const { method, params } of [...supplementMethods, ...surface.methods]) {
    if (params === null || !known.has(method)) continue;
    for (const field of fieldsOf(definitions.get(params))) lines.push(`field ${method} ${field}`);
  }
  for (const type of itemTypes(definitions)) lines.push(`item ${type}`);
  return new Set(lines.sort());
}

/** Fields of an object, and of every branch where it is a union. */
function fieldsOf(schema: Schema | undefined): Set<string> {
  if (schema === undefined || typeof schema === "boolean") return new Set();
  const own = Object.keys(schema.properties ?? {});
  return new Set([...own, ...branchesOf(schema).flatMap((branch) => [...fieldsOf(branch)])]);
}

function itemTypes(definitions: Definitions): string[] {
  const item = definitions.get("ThreadItem");
  return (typeof item === "object" ? branchesOf(item) : []).flatMap((branch) => {
    const type = typeof branch === "object" ? branch.properties?.type : undefined;
    return typeof type === "object" ? (type.enum ?? []).map(String) : [];
  });
}

/** Reads the kept history. Its first line lists the versions; each further line holds a name and its spans. */
export function readHistory(): History {
  const [versions = "", ...rows] = readFileSync(historyFile, "utf8").trimEnd().split("\n");
  const history = new Map(versions.split(" ").map((version) => [version, new Set<string>()]));
  const all = [...history.keys()];
  for (const row of rows) {
    const [name = "", spans = ""] = row.split("\t");
    for (const span of spans.split(" ")) {
      const [since = "", removed = ""] = span.split("..");
      const end = removed === "" ? all.length : all.indexOf(removed);
      for (const version of all.slice(all.indexOf(since), end)) history.get(version)?.add(name);
    }
  }
  return history;
}

/** A history with one more version, or with a version taken anew. */
export function withSnapshot(history: History, version: string, snapshot: Snapshot): History {
  const entries = [...history, [version, snapshot] as const];
  return new Map(new Map(entries.sort(([a], [b]) => compareVersions(a, b))));
}

/** Keeps a history. */
export function writeHistory(history: History): void {
  const names = [...new Set([...history.values()].flatMap((snapshot) => [...snapshot]))].sort();
  const rows = names.map((name) => `${name}\t${spansOf(name, history).join(" ")}`);
  writeFileSync(historyFile, `${[[...history.keys()].join(" "), ...rows].join("\n")}\n`);
}

/** The versions between which a name was seen, oldest first: `SINCE..`, or `SINCE..REMOVED`. */
export function spansOf(name: string, history: History): string[] {
  const spans: string[] = [];
  let since: string | undefined;
  for (const [version, snapshot] of history) {
    if (snapshot.has(name)) since ??= version;
    else if (since !== undefined) {
      spans.push(`${since}..${version}`);
      since = undefined;
    }
  }
  return since === undefined ? spans : [...spans, `${since}..`];
}

const compareVersions = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
