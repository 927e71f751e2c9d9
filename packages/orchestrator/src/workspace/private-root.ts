import type { Stats } from "node:fs";
import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { WorkspaceError } from "./workspace-error.ts";

/** Bits by which others may change what is in a folder. */
const writableByOthers = 0o022;
const sticky = 0o1000;

/**
 * Makes the workspace root, for its owner alone, or takes the one that is there; returns its real path. Throws where
 * somebody else could put something in its place or into it: hooks run there, unconfined.
 */
export async function ensureRoot(root: string, make: typeof mkdir = mkdir): Promise<string> {
  await make(root, { recursive: true, mode: 0o700 });
  const facts = await lstat(root);
  if (facts.isSymbolicLink()) throw unsafe(`${root} is a symbolic link: set workspace.root to the folder itself`);
  if (!facts.isDirectory()) throw unsafe(`${root} is not a folder: move it away, or set workspace.root`);
  const why = whyOpen(facts, root);
  if (why !== undefined) throw unsafe(why);
  const real = await realpath(root);
  for (let at = dirname(real); ; at = dirname(at)) {
    checkAbove(await stat(at), at, root);
    if (at === dirname(at)) return real;
  }
}

/** Why others can change what is in a folder, with the remedy; undefined where it is its owner's alone. */
export function whyOpen({ uid, mode }: Stats, path: string): string | undefined {
  if (!isOurs(uid)) return `${path} belongs to another user: move it away, or set workspace.root to a folder of yours`;
  return (mode & writableByOthers) === 0 ? undefined : `Other users can write to ${path}: chmod go-w '${path}'`;
}

/** Refuses a parent folder that others can write to: they could put another folder in the root's place. */
function checkAbove({ uid, gid, mode }: Stats, path: string, root: string): void {
  const elsewhere = "set workspace.root to a folder below your home";
  if (!isOurs(uid) && uid !== 0) throw unsafe(`${path}, above ${root}, belongs to another user: ${elsewhere}`);
  // Many systems give each user a group, which then may write.
  const byGroup = (mode & 0o020) !== 0 && gid !== process.getgid?.() && gid !== 0;
  const byOthers = (mode & 0o002) !== 0;
  // A sticky folder, such as /tmp, lets nobody move what is another's.
  if ((byGroup || byOthers) && (mode & sticky) === 0) {
    throw unsafe(`Other users can write to ${path}, above ${root}: chmod go-w '${path}', or ${elsewhere}`);
  }
}

const isOurs = (uid: number) => process.getuid === undefined || uid === process.getuid();

const unsafe = (message: string) => new WorkspaceError("unsafe_workspace_root", message);
