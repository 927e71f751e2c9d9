import { existsSync } from "node:fs";
import process from "node:process";
import { aptInstall } from "./apt.ts";
import { isOnPath } from "./on-path.ts";

/** Whether the tests find a browser: `CHROMIUM`, or one of these names on PATH. */
export async function chromiumIsThere(): Promise<boolean> {
  if (process.env.CHROMIUM !== undefined) return existsSync(process.env.CHROMIUM);
  return ["chromium", "chromium-browser", "google-chrome"].some(isOnPath);
}

/** Installs Debian's Chromium. Throws the remedy where that cannot be done from here. */
export function installChromium(): Promise<void> {
  return aptInstall(
    "chromium",
    "Install Chromium (Debian: apt-get install chromium), or set CHROMIUM to the path of one",
  );
}
