import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { buildBundle, ownPackage } from "./build-bundle.ts";
import { bundleFolder, bundlesFolder, openBundles } from "./bundle-folder.ts";
import type { MadeOf } from "./made-of.ts";
import { isCurrent } from "./marks.ts";

/** A build takes a few seconds; one that has not ended by then was killed. */
export const buildMs = 120_000;

/** Outcome of {@link keepBundle}. */
export type Kept = "built" | "current" | "busy" | "changed" | "unusable" | "refused";

/**
 * Sees to it that the user's folder has a bundle of this package as it is now. It appears in one step, after it has run
 * once; bundles of packages that are gone are deleted.
 */
export async function keepBundle(home: string): Promise<Kept> {
  const folder = bundleFolder(home, ownPackage);
  const work = `${folder}.new`;
  // File systems refuse longer names.
  if (basename(work).length > 255 || !openBundles(home)) return "refused";
  sweep(home);
  if (isKept(folder)) return "current";
  if (!begin(work)) return "busy";
  try {
    const program = join(work, "quire");
    const madeOf = await buildBundle(program);
    if (madeOf === undefined) return "changed";
    const isUsable = await works(program);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isUsable) {
      flush(program);
      renameSync(program, join(folder, "quire"));
      linkOtherNames(home, folder);
    }
    // Also where programs may not be started in the home: not every process tries again.
    writeFileSync(recordIn(folder), JSON.stringify(madeOf));
    return isUsable ? "built" : "unusable";
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Otherwise a loss of power could leave an empty file by its name. */
function flush(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

const recordIn = (folder: string): string => join(folder, "made-of.json");

/** False while another process builds. */
function begin(work: string): boolean {
  const before = lstatSync(work, { throwIfNoEntry: false });
  if (before && Date.now() - before.mtimeMs > buildMs) rmSync(work, { recursive: true, force: true });
  try {
    mkdirSync(work, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

function isKept(folder: string): boolean {
  const madeOf = recordOf(folder);
  return madeOf !== undefined && isCurrent(madeOf, ownPackage);
}

/** The record is for housekeeping alone: a bundle itself knows what it is made of. */
function recordOf(folder: string): MadeOf | undefined {
  try {
    return JSON.parse(readFileSync(recordIn(folder), "utf8")) as MadeOf;
  } catch {
    return undefined;
  }
}

async function works(program: string): Promise<boolean> {
  const argv = [program, join(ownPackage, "src", "main.ts"), "app-server", "--help"];
  try {
    const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe" });
    return /^Usage: quire app-server/m.test(await new Response(child.stdout).text()) && (await child.exited) === 0;
  } catch {
    // No program may be started there.
    return false;
  }
}

/** In a checkout the package has a second path, which is the one that npm's launcher comes by. */
function linkOtherNames(home: string, folder: string): void {
  for (let at = dirname(ownPackage); at !== dirname(at); at = dirname(at)) {
    const path = join(at, "node_modules", "@quire", "cli");
    const link = bundleFolder(home, path);
    if (path === ownPackage || !lstatSync(path, { throwIfNoEntry: false })) continue;
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(folder), link);
  }
}

function sweep(home: string): void {
  for (const name of readdirSync(bundlesFolder(home))) {
    const folder = join(bundlesFolder(home), name);
    const madeOf = recordOf(folder);
    if (madeOf && !lstatSync(madeOf.cli, { throwIfNoEntry: false })) rmSync(folder, { recursive: true, force: true });
  }
}
