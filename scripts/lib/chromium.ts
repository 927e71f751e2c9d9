import { aptInstall } from "./apt.ts";

/** True if the tests find a browser. */
export async function hasChromium(): Promise<boolean> {
  // Imported late: a broken testkit must fail its own tests, not the whole run.
  const { findChromium } = await import("@quire/testkit");
  return findChromium() !== null;
}

/** Installs Debian's Chromium, without its windows where there is such a package. Throws the remedy where it cannot. */
export async function installChromium(): Promise<void> {
  const remedy =
    "Install Chromium (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to the path of one";
  await aptInstall("chromium-headless-shell", remedy).catch(() => aptInstall("chromium", remedy));
}
