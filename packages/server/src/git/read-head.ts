import { join } from "node:path";
import type { Repository } from "./find-repository.ts";
import { readGitFile } from "./read-git-file.ts";

/** Git follows no more symbolic references. */
const maxLinks = 5;

const object = /^([0-9a-f]{64}|[0-9a-f]{40})\s*$/;

interface Head {
  /** `null` before the first commit. */
  readonly sha: string | null;
  /** `null` for a detached head. */
  readonly branch: string | null;
}

/** Reads what is checked out from the files in which git keeps it. */
export function readHead({ gitDir, commonDir }: Repository): Head {
  const head = readGitFile(join(gitDir, "HEAD")) ?? "";
  const name = refIn(head);
  if (name === undefined) return { sha: object.exec(head)?.[1] ?? null, branch: null };
  const branch = name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : null;
  return { sha: resolveRef(commonDir, name), branch };
}

function resolveRef(commonDir: string, first: string): string | null {
  let name = first;
  for (let links = 0; links < maxLinks; links++) {
    const text = readGitFile(join(commonDir, name));
    if (text === undefined) return packedRef(commonDir, name);
    const next = refIn(text);
    if (next === undefined) return object.exec(text)?.[1] ?? null;
    name = next;
  }
  return null;
}

function packedRef(commonDir: string, name: string): string | null {
  const packed = readGitFile(join(commonDir, "packed-refs")) ?? "";
  const at = packed.indexOf(` ${name}\n`);
  if (at === -1) return null;
  return object.exec(packed.slice(packed.lastIndexOf("\n", at) + 1, at))?.[1] ?? null;
}

/** The branch that a file names, if valid: it becomes a path. */
function refIn(text: string): string | undefined {
  const name = /^ref:\s*(\S+)\s*$/.exec(text.slice(0, 4096))?.[1];
  if (name === undefined || !name.startsWith("refs/")) return undefined;
  return name.split("/").some((part) => part === "" || part.startsWith(".")) ? undefined : name;
}
