import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import type { Confinement } from "./launcher.ts";

/** Folders that commands of any thread could write so far, with their real paths. */
const noted = new Map<string, string>();

/** More folders than a server works in at a time; beyond this the oldest is dropped. */
const maxNoted = 1024;

/** Records folders that a command can write. PATH is shared by all, so nothing there can be trusted. */
export function addWritableFolders({ policy, workspace }: Pick<Confinement, "policy" | "workspace">): void {
  if (policy.type !== "workspaceWrite") return;
  for (const folder of [...workspace, ...(policy.writableRoots ?? [])]) {
    if (noted.has(folder)) continue;
    const [oldest] = noted.size < maxNoted ? [] : noted.keys();
    if (oldest !== undefined) noted.delete(oldest);
    noted.set(folder, pathWithoutLinks(folder));
  }
}

/** The real paths of these folders. */
export function writableFolders(): Iterable<string> {
  return noted.values();
}
