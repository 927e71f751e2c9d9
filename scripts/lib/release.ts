import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, type Package, packages, root } from "./workspace.ts";

/** A file as a release writes it; paths are from the root. */
export interface ReleaseFile {
  readonly path: string;
  readonly text: string;
}

/** Why a release cannot be made, and what to do. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

const unreleased = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** All files that have the version in them, with the new one, and the changelog with its heading. Writes nothing. */
export function releaseFiles(version: string, date: string): ReleaseFile[] {
  const before = currentVersion();
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw new ReleaseError(`${version} is no version: give three numbers, such as 1.2.3, or 1.2.3-beta.1`);
  if (Bun.semver.order(version, before) <= 0)
    throw new ReleaseError(`${version} does not come after ${before}: give a higher version`);
  const manifests = ["package.json", ...packages().map(({ short }) => `packages/${short}/package.json`)];
  return [
    ...manifests.map((path) => ({ path, text: bumped(read(path), version) })),
    { path: "package-lock.json", text: bumpedLock(read("package-lock.json"), version) },
    versionFile(before, version),
    { path: "CHANGELOG.md", text: released(read("CHANGELOG.md"), version, date) },
  ];
}

/** The version of all packages: that of the root. */
export function currentVersion(): string {
  return (JSON.parse(read("package.json")) as { version: string }).version;
}

/** Published packages, each after those that it needs. */
export function publishOrder(all: readonly Package[] = packages()): Package[] {
  const waiting = all.filter(({ manifest }) => !manifest.private);
  const sorted: Package[] = [];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ manifest }) => manifest.name));
    const next = waiting.findIndex(({ manifest }) => ownDependencies(manifest).every((name) => !names.has(name)));
    if (next < 0) throw new ReleaseError(`These packages need each other: ${[...names].join(", ")}`);
    sorted.push(...waiting.splice(next, 1));
  }
  return sorted;
}

function ownDependencies({ dependencies }: Manifest): string[] {
  return Object.keys(dependencies ?? {}).filter((name) => name.startsWith("@quire/"));
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** A manifest with the version, also where it names packages of ours. */
function bumped(text: string, version: string): string {
  return text
    .replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`)
    .replace(/("@quire\/[a-z-]+": )"\d[^"]*"/g, `$1"${version}"`);
}

/** The lock file repeats the manifests of the workspace; what comes from elsewhere is left as it is. */
function bumpedLock(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  const own = Object.entries(lock.packages).filter(([path]) => /^(packages\/[^/]+)?$/.test(path));
  const patched = Object.fromEntries(own.map(([path, each]) => [path, JSON.parse(bumpedEntry(each, version))]));
  const whole = { ...lock, version, packages: { ...lock.packages, ...patched } };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function bumpedEntry(entry: { version?: string }, version: string): string {
  const own = entry.version === undefined ? entry : { ...entry, version };
  return JSON.stringify(own).replace(/("@quire\/[a-z-]+":)"\d[^"]*"/g, `$1"${version}"`);
}

function versionFile(before: string, version: string): ReleaseFile {
  const path = "packages/protocol/src/lib/quire-version.ts";
  return { path, text: read(path).replace(`"${before}"`, `"${version}"`) };
}

function released(changelog: string, version: string, date: string): string {
  const [, notes = ""] = unreleased.exec(changelog) ?? [];
  if (notes.trim() === "")
    throw new ReleaseError("CHANGELOG.md has nothing under ## Unreleased: write what has changed for users");
  return changelog.replace("## Unreleased\n", `## Unreleased\n\n## ${version} (${date})\n`);
}
