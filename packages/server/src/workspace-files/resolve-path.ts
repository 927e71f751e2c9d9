import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where a path leads. */
export interface Resolved {
  /** Without links. */
  readonly path: string;
  /** The links on the way, each by its own path without links. Whoever can replace one decides where the path leads. */
  readonly links: readonly string[];
}

/** As many links as the kernel follows. */
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

/** What a link says; `undefined` for anything else, `null` for nothing. */
function linkTarget(path: string): string | undefined | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return null;
  }
}
