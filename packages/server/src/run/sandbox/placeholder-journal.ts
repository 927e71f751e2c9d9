import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const noted = new Map<string, Set<string>>();
const prefix = "places-";

/** Notes in the home where a placeholder is about to be, once for each path: a server that is killed removes nothing. */
export function recordPlaceholder(home: string, path: string): void {
  const known = noted.get(home) ?? new Set();
  noted.set(home, known);
  if (known.has(path)) return;
  known.add(path);
  const folder = join(home, "sandbox");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(join(folder, `${prefix}${process.pid}`), `${JSON.stringify(path)}\n`, { mode: 0o600 });
}

/** Removes, by `remove`, what servers have left that used this home and are no more. */
export function sweepPlaceholders(home: string, remove: (path: string) => void): void {
  const folder = join(home, "sandbox");
  for (const name of namesIn(folder)) {
    const pid = Number(name.slice(prefix.length));
    if (!name.startsWith(prefix) || pid === process.pid || isRunning(pid)) continue;
    for (const path of pathsIn(join(folder, name))) remove(path);
    rmSync(join(folder, name), { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function pathsIn(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as string);
  } catch {
    // Cut short while it was written.
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
