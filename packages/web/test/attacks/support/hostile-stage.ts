import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser.ts";
import { hostileServer } from "./hostile-server.ts";

/** A tab, and what it asked of the attacker's site. */
export interface Tab {
  readonly page: Page;
  readonly loaded: readonly string[];
}

/** `quire up` in front of a server that is after the page. Whoever opened it closes it. */
export interface HostileStage {
  readonly server: ReturnType<typeof hostileServer>;
  /** Where the gateway is. */
  readonly origin: string;
  /** The real page, on the hostile server's thread, with everything unfolded. */
  readonly guarded: Tab;
  /** An empty page without any protection. */
  readonly naive: Tab;
  close(): Promise<void>;
}

/** Starts everything, with one browser. */
export async function openHostileStage(): Promise<HostileStage> {
  const server = hostileServer();
  const home = await mkdtemp(join(tmpdir(), "quire-page-"));
  const quire = join(import.meta.dirname, "..", "..", "..", "..", "cli", "bin", "quire");
  const args = ["up", "--no-open", "--json", "--port", "0", "--no-discovery", "--hub", server.address];
  const env = { ...process.env, QUIRE_HOME: home };
  const gateway = spawn(quire, args, { cwd: home, env, stdio: ["ignore", "pipe", "ignore"] });
  const [{ url, origin }, browser] = await Promise.all([firstLine(gateway), launchBrowser()]);
  const [guarded, naive] = [await openTab(browser), await openTab(browser)];
  await guarded.page.goto(url);
  await guarded.page.getByRole("link", { name: /^name/ }).first().click();
  await guarded.page.getByText("details").first().waitFor();
  await unfold(guarded.page);
  return {
    server,
    origin,
    guarded,
    naive,
    async close() {
      await browser.close();
      const ended = new Promise((resolve) => gateway.once("exit", resolve));
      gateway.kill("SIGTERM");
      await ended;
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A tab whose requests to the attacker are noted and answered with nothing. */
async function openTab(browser: Browser): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1600 }, reducedMotion: "reduce" });
  const loaded: string[] = [];
  await context.route(/evil\.example/, (route) => {
    loaded.push(route.request().url());
    return route.abort();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, loaded };
}

/** Opens whatever is folded in the thread, also within what was folded. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('[role=log] [aria-expanded="false"]');
  for (let left = 30; left > 0 && (await folded.count()) > 0; left--) await folded.first().click();
}

async function firstLine({ stdout }: ChildProcess): Promise<{ url: string; origin: string }> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    if (said.includes("\n")) break;
  }
  return JSON.parse(said);
}
