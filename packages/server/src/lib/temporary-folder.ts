import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "./faults.ts";
import { ownStart, processStart } from "./process-start.ts";

/** A temporary folder. Its creator disposes of it. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/** Below the home, which commands cannot see; the system's temporary folder is open to all of them. */
const parentName = ".tmp";

const made = new Set<string>();
const swept = new Set<string>();

/**
 * Makes a private folder, removed with the process at the latest, or by the next call after a kill.
 * @param purpose Prefix of its name.
 */
export function temporaryFolder(home: string, purpose: string): TemporaryFolder {
  const parent = join(home, parentName);
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    if (!swept.has(parent)) sweep(parent);
    const path = mkdtempSync(join(parent, `${purpose}-${process.pid}.${ownStart()}.`));
    if (made.size === 0) process.once("exit", removeAll);
    made.add(path);
    return { path, [Symbol.dispose]: () => remove(path) };
  } catch (error) {
    throw new StoreError(`make a folder in ${parent}`, error);
  }
}

/** Removes the folders of dead processes. */
function sweep(parent: string): void {
  swept.add(parent);
  for (const name of readdirSync(parent)) {
    const [, pid, start] = /-(\d+)\.(\w+)\.\w+$/.exec(name) ?? [];
    if (pid !== undefined && processStart(Number(pid)) !== start) remove(join(parent, name));
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  made.delete(path);
  if (made.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
  for (const path of made) remove(path);
}
