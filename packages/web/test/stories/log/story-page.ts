import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { buildPage } from "../../../src/bundle/build-page.ts";
import { launchBrowser } from "../../support/browser.ts";

/** The strictest policy the page must live with. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/** A browser with the stories, for the tests of one file. Whoever opens it closes it. */
export interface Stories extends AsyncDisposable {
  readonly browser: Browser;
  /** A new page; whatever it logs as an error is collected in `problems`. */
  open(options?: PageOptions): Promise<StoryPage>;
}

/** How a page is opened. */
interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "dark" | "light";
}

/** A page with a story. */
interface StoryPage extends AsyncDisposable {
  readonly page: Page;
  readonly problems: readonly string[];
}

/** Builds the stories as the page is built, serves them under the page's content policy, and starts a browser. */
export async function openStories(): Promise<Stories> {
  const built = await buildPage(join(import.meta.dir, "index.html"));
  const files = new Map(built.map((file) => [file.path, file]));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const file = files.get(new URL(request.url).pathname);
      if (file === undefined) return new Response("Not found", { status: 404 });
      const headers = { "content-security-policy": policy, "content-type": file.type };
      return new Response(new Uint8Array(file.body), { headers });
    },
  });
  const browser = await launchBrowser();
  return {
    browser,
    open: (options) => openPage(browser, server.url.href, options),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.stop(true);
    },
  };
}

async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<StoryPage> {
  const { width = 1100, height = 800, theme = "dark" } = options;
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${url}#${theme}`);
  await page.waitForFunction(() => "story" in window);
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}
