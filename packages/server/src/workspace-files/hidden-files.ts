import { readdirSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { hiddenHomes } from "./hidden-homes.ts";
import type { Access } from "./root.ts";

/** Files in a server's home that hold keys and tokens. No client and no command can read them. */
const credentialFiles: readonly string[] = ["auth.json", ".credentials.json", ".gateway-credentials.json"];

/** Folders in a server's home that a model and its commands can read. The rest is the server's alone. */
export const readableHomeFolders: readonly string[] = ["skills", "plugins/cache"];

/** The kernel's folders of processes, including the server, and devices. Nothing there is a file to read. */
const systemFolders = ["/proc", "/sys", "/dev"];

/** A file about to be opened. */
export interface Candidate {
  /** Its path without links. */
  readonly real: string;
  readonly stats: Pick<Stats, "dev" | "ino" | "nlink">;
}

/** True when a file must not be opened, wherever a link to it was found. */
export function isHidden({ real, stats }: Candidate, { root, home }: Access): boolean {
  if (systemFolders.some((folder) => isWithin(real, folder))) return !isRamDisk(real);
  const homes = hiddenHomes(home);
  const around = homes.find((each) => isWithin(real, each));
  if (around === undefined) return stats.nlink > 1 && isLinkedInHome(stats, homes);
  if (isCredential(relative(around, real).split(sep)[0] ?? "")) return true;
  // Compares the path as given: a link in place of the root must not turn it into the home.
  const isAsked = isWithin(root.path, around) || (around === homes[0] && isWithin(root.path, home));
  return !isAsked && !readableHomeFolders.some((name) => isWithin(real, join(around, name)));
}

/** True when no file in a folder is hidden by its path. Another name may hide it: see {@link isLinkedInHome}. */
export function isCommonFolder(real: string, homes: readonly string[]): boolean {
  return ![...systemFolders, ...homes].some((folder) => isWithin(real, folder));
}

/** Also matches one being replaced, which is first written under a longer name next to it. */
function isCredential(name: string): boolean {
  return credentialFiles.some((file) => name === file || name.startsWith(`${file}.`));
}

/** Shared memory, where some systems have their temporary files. */
function isRamDisk(real: string): boolean {
  return isWithin(real, "/dev/shm");
}

/** True when a file with several names has one in a home's top folder, where the credentials are. */
export function isLinkedInHome({ dev, ino }: Candidate["stats"], homes: readonly string[]): boolean {
  return homes.some((home) => {
    try {
      return readdirSync(home).some((name) => {
        const own = statSync(join(home, name), { throwIfNoEntry: false });
        return own !== undefined && own.ino === ino && own.dev === dev;
      });
    } catch {
      // No home, nothing to hide.
      return false;
    }
  });
}
