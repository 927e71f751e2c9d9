import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./codex-binary.ts";
import { branchesOf, type Definitions, type Schema } from "./schema.ts";
import { supplementDefinitions, supplementMethods, unlistedNotifications } from "./supplement.ts";
import type { Surface } from "./surface.ts";

/** Folder of the names that each Codex version knows, so that generating needs no old version. */
const historyDirectory: string = join(repositoryRoot, "packages/protocol/generator/history");

/** The names that one version knows, each as `method NAME`, `field METHOD FIELD` or `item TYPE`. */
export type Snapshot = ReadonlySet<string>;

/** Lists the names of one version. */
export function takeSnapshot(surface: Surface, version: string): Snapshot {
  const names = [...surface.names.values()].flat();
  const known = new Set([...names, ...(unlistedNotifications[version] ?? [])]);
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

/** Reads the snapshots that were kept, oldest first. */
export function readHistory(): Map<string, Snapshot> {
  const files = existsSync(historyDirectory) ? readdirSync(historyDirectory) : [];
  const versions = files.filter((file) => file.endsWith(".txt")).map((file) => file.slice(0, -".txt".length));
  return new Map(
    versions.sort(compareVersions).map((version) => {
      const text = readFileSync(join(historyDirectory, `${version}.txt`), "utf8");
      return [version, new Set(text.split("\n").filter(Boolean))];
    }),
  );
}

/** Keeps a snapshot. */
export function writeSnapshot(version: string, snapshot: Snapshot): void {
  mkdirSync(historyDirectory, { recursive: true });
  writeFileSync(join(historyDirectory, `${version}.txt`), `${[...snapshot].join("\n")}\n`);
}

const compareVersions = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
