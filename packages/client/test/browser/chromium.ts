import { chromiumPath, tempDir } from "@quire/testkit";
import { type BrowserContext, chromium } from "playwright-core";

/** Starts Chromium with a profile of its own, which is removed with it. */
export async function startChromium(): Promise<{ readonly context: BrowserContext } & AsyncDisposable> {
  const profile = await tempDir("quire-chromium-");
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: chromiumPath(),
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
