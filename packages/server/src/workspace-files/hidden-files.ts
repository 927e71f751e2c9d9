import { readdirSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { hiddenHomes } from "./hidden-homes.ts";
import type { Access } from "./root.ts";

/** Files in a server's home that hold keys and tokens. Nobody is shown them, and nobody's command reads them. */
const credentialFiles: readonly string[] = ["auth.json", ".credentials.json", ".gateway-credentials.json"];

/** Folders in a server's home that a model, and its commands, read from. All else in it is the server's alone. */
export const readableHomeFolders: readonly string[] = ["skills", "plugins/cache"];

/** Where the kernel shows processes, the server's own among them, and devices. Nothing there is a file to read. */
const systemFolders = ["/proc", "/sys", "/dev"];

/** What decides whether a file is hidden. */
export interface Candidate {
  /** Where it lies, with no link on the way. */
  readonly real: string;
  readonly stats: Pick<Stats, "dev" | "ino" | "nlink">;
}

/** Whether a file must not be opened, wherever a link to it was found. */
export function isHidden({ real, stats }: Candidate, { root, home }: Access): boolean {
  if (systemFolders.some((folder) => isWithin(real, folder))) return !isRamDisk(real);
  const homes = hiddenHomes(home);
  const around = homes.find((each) => isWithin(real, each));
  if (around === undefined) return stats.nlink > 1 && isLinkedInHome(stats, homes);
  if (isCredential(relative(around, real).split(sep)[0] ?? "")) return true;
  // As it was given: a link in place of the root must not make the home of it.
  const isAsked = isWithin(root.path, around) || (around === homes[0] && isWithin(root.path, home));
  return !isAsked && !readableHomeFolders.some((name) => isWithin(real, join(around, name)));
}

/** Whether no file in a folder is hidden by its place. One may still be by another name: see {@link isLinkedInHome}. */
export function isCommonFolder(real: string, homes: readonly string[]): boolean {
  return ![...systemFolders, ...homes].some((folder) => isWithin(real, folder));
}

/** Also while one is being replaced: it is written beside its place first, under a longer name. */
function isCredential(name: string): boolean {
  return credentialFiles.some((file) => name === file || name.startsWith(`${file}.`));
}

/** Memory that is a folder for everyone, and where some systems have their temporary files. */
function isRamDisk(real: string): boolean {
  return isWithin(real, "/dev/shm");
}

/** Whether a file of several names has one in a home's top folder, where the credentials are. */
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
