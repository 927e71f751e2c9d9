import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";

/** A browser on the page of stories. Whoever opened it closes it. */
export interface Stories {
  /** Opens a story in a browser context of its own: nothing is stored from before. */
  open(story: string, options?: BrowserContextOptions & { readonly theme?: "dark" | "light" }): Promise<Page>;
  /** Closes what was opened, to be ready for the next test. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** Builds and serves the stories with the headers that the gateway sends, and starts Chromium. */
export async function openStories(): Promise<Stories> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "..", "stories", "index.html")],
    target: "browser",
    conditions: ["browser", "bun"],
    splitting: true,
    publicPath: "/",
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
  });
  const files = new Map(
    outputs.map((output) => [output.path.replace(/^\.?\//, "/").replace("/index.html", "/"), output]),
  );
  const byName = (path: string) => files.get(path) ?? files.get(path.slice(1));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const file = byName(new URL(url).pathname);
      return file === undefined
        ? new Response("not here", { status: 404 })
        : new Response(file, { headers: { "Content-Type": file.type, "Content-Security-Policy": policy } });
    },
  });
  const browser = await launchBrowser();
  return {
    async open(story, { theme = "dark", ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: theme,
        ...options,
      });
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${server.port}/#${story}`);
      await shown(page, story);
      return page;
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    async close() {
      await browser.close();
      await server.stop(true);
    },
  };
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; form-action 'none'";

/** What a story's component asked for so far under a name: the arguments of each call. */
export async function callsOf(page: Page, name: string): Promise<readonly (readonly unknown[])[]> {
  const calls = await page.evaluate(() => (window as unknown as { calls: { name: string; args: unknown[] }[] }).calls);
  return calls.filter((call) => call.name === name).map((call) => call.args);
}

/** Shows another story in the same page, which is faster than another page. What was called before is forgotten. */
export async function showStory(page: Page, story: string): Promise<void> {
  await page.evaluate((hash) => {
    window.calls = [];
    location.hash = hash;
  }, story);
  await shown(page, story);
}

const shown = (page: Page, story: string) =>
  page.waitForFunction((hash) => document.documentElement.dataset.ready === `#${hash}`, story);
