import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Best first: the shell draws the same pages without a window's machinery, for half of the CPU. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** Path of this machine's Chromium: `CHROMIUM`, or what is on PATH under one of its names. Null where there is none. */
export function findChromium(): string | null {
  if (process.env.CHROMIUM !== undefined) return existsSync(process.env.CHROMIUM) ? process.env.CHROMIUM : null;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}

/** Like {@link findChromium}, for those who cannot continue without it: throws the remedy. */
export function chromiumPath(): string {
  const path = findChromium();
  if (path !== null) return path;
  throw new Error("No Chromium: apt-get install chromium-headless-shell (Debian), or set CHROMIUM to the path of one");
}
