import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { tempDir } from "@quire/testkit";
import { type BrowserContext, chromium } from "playwright-core";

/** The browser of the machine: `CHROMIUM`, or what is on PATH under one of its names. */
function findChromium(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
  const browser = process.env.CHROMIUM ?? found;
  if (browser === undefined) {
    throw new Error("Chromium not found: install it (apt-get install chromium), or set CHROMIUM to its path");
  }
  return browser;
}

/** Starts Chromium with a profile of its own, which is removed with it. */
export async function startChromium(): Promise<{ readonly context: BrowserContext } & AsyncDisposable> {
  const profile = await tempDir("quire-chromium-");
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: findChromium(),
    headless: true,
    // Root, as in a container, cannot use Chromium's sandbox; the pages here are our own.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close();
      await profile.remove();
    },
  };
}
