import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** A resolved path. */
export interface Resolved {
  readonly path: string;
  /** The links on the way, each by its real path. A user who can replace one controls the result. */
  readonly links: readonly string[];
}

/** The kernel's limit. */
const maxLinks = 40;

/** Follows a path link by link; `undefined` where it leads to nothing. */
export function resolvePath(path: string): Resolved | undefined {
  const names = namesOf(resolve(path));
  const links: string[] = [];
  let at = "/";
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const target = linkTarget(next);
    if (target === null) return undefined;
    if (target === undefined) {
      at = next;
      continue;
    }
    if (links.push(next) > maxLinks) return undefined;
    if (isAbsolute(target)) at = "/";
    names.unshift(...namesOf(target));
  }
  return { path: at, links };
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** The target of a link; `undefined` for anything else, `null` for nothing. */
function linkTarget(path: string): string | undefined | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return null;
  }
}
