import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { maxFileBytes } from "./limits.ts";

/** Attempts at a change when somebody else saves the file at the same time. */
const maxTries = 5;

/** Age from which a draft belongs to nobody any more, in milliseconds: writing one takes far less. */
const abandonedMs = 60_000;

const draftName = () => `.quire-${randomBytes(8).toString("hex")}.tmp`;

/** Removes drafts that a process left which was killed while it wrote them. What cannot be removed stays. */
export async function removeAbandonedDrafts(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!/^\.quire-[0-9a-f]{16}\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    try {
      if (Date.now() - (await lstat(path)).mtimeMs > abandonedMs) await rm(path, { force: true });
    } catch {
      // Gone already, or not ours to remove: it does no harm.
    }
  }
}

/**
 * Replaces a file's text by what `change` makes of it. Readers see the old text or the new, never half of it. Where an
 * editor saves the file meanwhile, the change is made again on what it saved.
 */
export async function rewriteFile(path: string, change: (content: string) => string): Promise<void> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const mode = await modeOf(path);
    const before = await readFile(path, "utf8");
    const content = change(before);
    if (Buffer.byteLength(content) > maxFileBytes) {
      throw new Error(`The issue's file would become larger than ${maxFileBytes} bytes: write less.`);
    }
    const draft = join(dirname(path), draftName());
    try {
      await writeThrough(draft, content, mode);
      // The text and not the file's time, which may be the same after two changes.
      if ((await readFile(path, "utf8")) !== before) continue;
      await rename(draft, path);
      return;
    } finally {
      await rm(draft, { force: true });
    }
  }
  throw new Error(`${path} is being edited by somebody else: try again.`);
}

async function modeOf(path: string): Promise<number> {
  const facts = await lstat(path);
  if (!facts.isFile()) throw new Error(`${path} is not a regular file.`);
  return facts.mode & 0o777;
}

/** On the disk before it takes the old file's place, so that a power cut leaves one of the two. */
async function writeThrough(path: string, content: string, mode: number): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    await handle.writeFile(content, "utf8");
    await handle.sync();
  } finally {
    await handle.close();
  }
}
