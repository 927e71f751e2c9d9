import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { aptInstall } from "./apt.ts";

/** Whether the tests find a browser: `CHROMIUM`, or one of these names on PATH. */
export async function chromiumIsThere(): Promise<boolean> {
  if (process.env.CHROMIUM !== undefined) return existsSync(process.env.CHROMIUM);
  const folders = (process.env.PATH ?? "").split(delimiter);
  return ["chromium", "chromium-browser", "google-chrome"].some((name) =>
    folders.some((folder) => existsSync(join(folder, name))),
  );
}

/** Installs Debian's Chromium. Throws the remedy where that cannot be done from here. */
export async function installChromium(): Promise<void> {
  await aptInstall(
    "chromium",
    "Install Chromium (Debian: apt-get install chromium), or set CHROMIUM to the path of one",
  );
}
