import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import type { Confinement } from "./launcher.ts";

/** Folders that commands of any thread could write so far, and where they lead. */
const noted = new Map<string, string>();

/** More folders than a server works in at a time; beyond, the oldest is forgotten. */
const maxNoted = 1024;

/** Notes where a command may write. PATH is the same for all threads and for the server: what lies there is nobody's own. */
export function addWritableFolders({ policy, workspace }: Pick<Confinement, "policy" | "workspace">): void {
  if (policy.type !== "workspaceWrite") return;
  for (const folder of [...workspace, ...(policy.writableRoots ?? [])]) {
    if (noted.has(folder)) continue;
    const [oldest] = noted.size < maxNoted ? [] : noted.keys();
    if (oldest !== undefined) noted.delete(oldest);
    noted.set(folder, pathWithoutLinks(folder));
  }
}

/** All such folders, without links. */
export function writableFolders(): Iterable<string> {
  return noted.values();
}
