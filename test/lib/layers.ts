import { dirname } from "node:path/posix";
import { circles, type Graph, grouped, importGraph, type Sources } from "./import-graph.ts";

/** More files than that in one folder are no longer one idea. What a program wrote is not counted. */
const mostFiles = 30;

const topFolder = (path: string): string => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");

/** Reports each circle, each import against the layers and each overfull folder of a package. */
export function layerViolations(sources: Sources, order: readonly string[]): string[] {
  const graph = importGraph(sources);
  const folders = grouped(graph, dirname);
  return [
    ...circles(graph).map((circle) => `files import each other: ${circle}`),
    ...nestedCircles(folders),
    ...against(graph, order),
    ...overfull(sources.files.keys()),
    ...vague([...folders.keys()]),
  ];
}

/** Circles between folders that lie side by side, at any depth. */
function nestedCircles(folders: Graph): string[] {
  const parents = new Set([...folders.keys()].flatMap(ancestors));
  return [...parents].flatMap((parent) => {
    const childOf = (folder: string) => (isBelow(folder, parent) ? childName(folder, parent) : "");
    const siblings = new Map([...grouped(folders, childOf)].filter(([name]) => name !== ""));
    return circles(siblings).map((circle) => `folders import each other in ${parent}: ${circle}`);
  });
}

const isBelow = (folder: string, parent: string): boolean =>
  parent === "." ? folder !== "." : folder.startsWith(`${parent}/`);

function childName(folder: string, parent: string): string {
  const rest = parent === "." ? folder : folder.slice(parent.length + 1);
  return rest.split("/")[0] ?? "";
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return folder === "." ? [] : [parent, ...ancestors(parent)];
}

function against(graph: Graph, order: readonly string[]): string[] {
  const rank = (path: string): number => (topFolder(path) === "" ? order.length : order.indexOf(topFolder(path)));
  return [...graph].flatMap(([path, targets]) => {
    if (rank(path) < 0) return [`${path}: the folder ${topFolder(path)} has no place in the layers`];
    return [...targets]
      .filter((target) => topFolder(target) !== topFolder(path) && rank(target) >= rank(path))
      .map((target) => `${path} imports ${target}, which lies above it`);
  });
}

/** Reports each folder with too many of these files. */
export function overfull(paths: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > mostFiles && !folder.endsWith("generated"))
    .map(([folder, count]) => `${folder} has ${count} files; split it, ${mostFiles} are enough`);
}

/** Names under which anything may be put. */
const vagueName = /^(?:util|utils|utilities|common|misc|shared|helper|stuff)$/;

function vague(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => folder.split("/").some((name) => vagueName.test(name)))
    .map((folder) => `${folder} is named for nothing in particular; say what is in it`);
}
