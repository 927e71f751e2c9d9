import { dirname, join } from "node:path/posix";
import type { Manifest } from "../../scripts/lib/workspace.ts";
import { importsOf } from "./syntax.ts";

/** A graph: the names that each name points at. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** A package's sources. */
export interface Sources {
  /** Text by path from the package's `src`: `turn/run-turn.ts`. */
  readonly files: ReadonlyMap<string, string>;
  readonly manifest: Manifest;
}

/** The files that each file imports, types included. */
export function importGraph({ files, manifest }: Sources): Graph {
  return new Map(
    [...files].map(([path, text]) => {
      const targets = importsOf(path, text).flatMap((request) => resolve(request, path, manifest));
      return [path, new Set(targets.filter((target) => files.has(target) && target !== path))];
    }),
  );
}

function resolve(request: string, from: string, manifest: Manifest): string[] {
  if (request.startsWith(".")) return [join(dirname(from), request)];
  if (!request.startsWith("#")) return [];
  // A conditional import names one file for each condition.
  const conditions = JSON.stringify(manifest.imports?.[request] ?? "");
  return [...conditions.matchAll(/"\.\/src\/([^"]+)"/g)].map(([, path = ""]) => path);
}

/** The same graph between folders: `group` names the folder of a file. */
export function grouped(graph: Graph, group: (path: string) => string): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = group(path);
    const found = folders.get(from) ?? new Set();
    folders.set(from, found);
    for (const target of targets) if (group(target) !== from) found.add(group(target));
  }
  return folders;
}

/** Finds a circle for each group of names that reach each other, as `a → b → a`. */
export function circles(graph: Graph): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const path: string[] = [];
  const visit = (name: string): void => {
    const start = path.indexOf(name);
    if (start >= 0) found.push([...path.slice(start), name].join(" → "));
    if (start >= 0 || done.has(name)) return;
    path.push(name);
    for (const target of graph.get(name) ?? []) visit(target);
    path.pop();
    done.add(name);
  };
  for (const name of graph.keys()) visit(name);
  return found;
}
