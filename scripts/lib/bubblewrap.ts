import process from "node:process";
import { aptInstall } from "./apt.ts";
import { isOnPath } from "./on-path.ts";

/** True if the sandbox's bubblewrap is on PATH. Not needed on macOS, which has a sandbox of its own. */
export async function hasBubblewrap(): Promise<boolean> {
  return process.platform !== "linux" || isOnPath("bwrap");
}

/** Installs Debian's. Throws the remedy where that cannot be done from here. */
export async function installBubblewrap(): Promise<void> {
  await aptInstall("bubblewrap", "Install bubblewrap (Debian: apt-get install bubblewrap)");
}
