import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The repository's root folder. */
export const root: string = resolve(import.meta.dirname, "..", "..");

/** Target of an entry: a file, or a choice by condition. */
export type ExportTarget = string | { readonly [condition: string]: ExportTarget };

/** The part of a `package.json` that these scripts use. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, ExportTarget>>;
  readonly imports?: Readonly<Record<string, ExportTarget>>;
  readonly engines?: { readonly node?: string; readonly bun?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package of the workspace. */
export interface Package {
  /** Its folder's name below `packages/`: `jsonrpc`. */
  readonly short: string;
  /** Absolute path of its folder. */
  readonly dir: string;
  readonly manifest: Manifest;
}

/** All packages of the workspace, by name. A folder is one as soon as it has sources. */
export function packages(): Package[] {
  const parent = join(root, "packages");
  return readdirSync(parent)
    .filter((short) => existsSync(join(parent, short, "src")))
    .sort()
    .map((short) => {
      const dir = join(parent, short);
      return { short, dir, manifest: JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Manifest };
    });
}

/** The file to which an entry leads under these conditions; `default` always holds. */
export function resolveTarget(target: ExportTarget, conditions: readonly string[]): string | undefined {
  if (typeof target === "string") return target;
  for (const [condition, next] of Object.entries(target)) {
    if (condition !== "default" && !conditions.includes(condition)) continue;
    const found = resolveTarget(next, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Absolute paths of the files below a folder whose names end so; empty when there is no such folder. */
export function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending) && !file.includes("node_modules"))
    .map((file) => join(folder, file))
    .sort();
}

/** The path of a program that `npm ci` installed. */
export const bin = (name: string): string => join(root, "node_modules", ".bin", name);
