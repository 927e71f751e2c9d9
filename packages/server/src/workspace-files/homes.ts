import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { resolvePath } from "./resolve-path.ts";

interface HomeOptions {
  readonly home: string;
  /** The server's environment, for `HOME` and `CODEX_HOME`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A home of this server or of a Codex beside it: keys, tokens, configuration, the text of all threads. */
export interface Home {
  /** Without links, as far as it exists. */
  readonly path: string;
  /** The links on the way, each by its own path. A user who can replace one controls the home. */
  readonly links: readonly string[];
  readonly exists: boolean;
  /** True when it was given to this server, which keeps going there. */
  readonly isNamed: boolean;
}

/** All homes, each once, including those that do not exist yet. */
export function homesOf({ home, env }: HomeOptions): Home[] {
  const named = [home, env.CODEX_HOME, env.QUIRE_HOME];
  // Also where `HOME` leads elsewhere, as for an agent with a home of its own.
  const usual = [env.HOME, accountHome()].flatMap((user) => (user ? [join(user, ".codex"), join(user, ".quire")] : []));
  const found = new Map<string, Home>();
  for (const path of named) if (path) found.set(resolve(path), { ...wayTo(resolve(path)), isNamed: true });
  for (const path of usual) if (!found.has(path)) found.set(path, { ...wayTo(path), isNamed: false });
  return [...found.values()];
}

function wayTo(path: string): Omit<Home, "isNamed"> {
  const found = resolvePath(path);
  if (found) return { ...found, exists: true };
  const parent = dirname(path);
  if (parent === path) return { path, links: [], exists: false };
  const above = wayTo(parent);
  const own = join(above.path, basename(path));
  const isLink = above.exists && lstatSync(own, { throwIfNoEntry: false })?.isSymbolicLink();
  return { path: own, links: isLink ? [...above.links, own] : above.links, exists: false };
}

let account: string | null | undefined;

/** The user's home as the system lists it. (The runtime returns `HOME`.) */
function accountHome(): string | undefined {
  account ??= listedHome() ?? null;
  return account ?? undefined;
}

function listedHome(): string | undefined {
  try {
    const user = String(process.getuid?.());
    const rows = readFileSync("/etc/passwd", "utf8").split("\n");
    return rows.map((row) => row.split(":")).find(([, , id]) => id === user)?.[5];
  } catch {
    return undefined;
  }
}
