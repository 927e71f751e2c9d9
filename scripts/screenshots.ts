/**
 * `bun scripts/screenshots.ts`: makes the pictures in docs/images again, with the real page, gateway and server, and a
 * scripted model.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { chromiumPath, mockResponses, realCodex } from "@quire/testkit";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { asked, makeProject, writeScript } from "./lib/picture-story.ts";
import { root } from "./lib/workspace.ts";

process.env.QUIRE_CACHE ??= join(root, ".cache");
const folder = join(root, "docs", "images");
const sizes: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1360, height: 850 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};
const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
const themes = ["dark", "light"] as const;

mkdirSync(folder, { recursive: true });
// The path is in the pictures, so it has no random part.
const home = join(tmpdir(), "ada");
mkdirSync(home);
const model = await mockResponses();
writeScript(model);
const cwd = join(home, "harbour");
makeProject(cwd);
const server = await realCodex(codexVersion, {
  ...{ model, cwd, modelName: "scripted", approvalPolicy: "on-request", sandboxMode: "workspace-write" },
  config: { "tools.update_plan.enabled": true },
  env: { HOME: home },
});
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
});
try {
  await firstRun();
  await threads();
} finally {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await model.close();
  rmSync(home, { recursive: true, force: true });
}

/** The page as it is on the first day: nothing is configured, and there are no threads. */
async function firstRun(): Promise<void> {
  await using quire = await start({ ...server.env, QUIRE_HOME: join(home, "fresh") });
  await inEachLook(quire.url, async (page, look) => {
    await page.getByText("No model is set up").waitFor();
    if (look.startsWith("desktop")) await page.getByText("No threads yet").waitFor();
    await picture(page, `first-run-${look}`);
  });
}

/** Threads at work. */
async function threads(): Promise<void> {
  await using quire = await start(server.env);
  const page = await open(browser, quire.url, { viewport: { width: 1440, height: 960 }, deviceScaleFactor: 2 }, "dark");
  for (const text of [asked.slow, asked.notes]) {
    await begin(page, text);
    await page.getByText("Done", { exact: true }).waitFor();
  }
  await begin(page, asked.approval, "Ask always");
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  const approval = page.url();
  await begin(page, asked.busy, "Never ask");
  await page.getByText("Done", { exact: true }).waitFor();
  const busy = page.url();
  const done = page.url();
  await begin(page, asked.failing);
  await page.getByText("Failed", { exact: true }).first().waitFor();
  const failing = page.url();
  await begin(page, asked.running, "Never ask");
  await log(page).getByText("Now the predictions move.").waitFor();
  const running = page.url();
  await page.goto(done);
  await log(page).getByText("The tests cover").waitFor();
  await coloured(page);
  await picture(page, "quire");
  await page.getByRole("button", { name: "Show panel" }).click();
  await page.getByRole("tab", { name: /^Changes/ }).click();
  const panel = page.getByRole("complementary", { name: "Side panel" });
  await panel
    .getByRole("button", { name: /tides\.ts/ })
    .first()
    .click();
  await panel.locator(".diff-text").first().waitFor();
  await picture(page, "changes");
  await page.context().close();
  const at = (url: string) => `${quire.url.replace(/#.*/, "")}${new URL(url).hash}`;
  await inEachLook(quire.url, async (each, look) => {
    await each.goto(at(approval));
    await each.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await picture(each, `approval-${look}`);
    await each.goto(at(busy));
    await log(each).getByText("The tests cover").waitFor();
    await coloured(each);
    await picture(each, `thread-${look}`);
    const diff = log(each)
      .getByRole("group", { name: /^Changes of/ })
      .first();
    for (let turn = 0; turn < 40 && !(await diff.isVisible()); turn++) await log(each).press("PageUp");
    if (look.startsWith("desktop"))
      await log(each).getByRole("radio", { name: /split/i }).first().check({ force: true });
    // Only what the reader does stops the log from following its end.
    if (look.startsWith("phone")) for (let step = 0; step < 3; step++) await log(each).press("ArrowUp");
    await log(each).blur();
    await picture(each, `diff-${look}`);
    await each.goto(at(failing));
    await log(each).getByText("Incorrect API key provided.").first().waitFor();
    await picture(each, `failing-${look}`);
    await each.goto(at(running));
    await each.getByRole("button", { name: "Stop", exact: true }).waitFor();
    await picture(each, `busy-${look}`);
    if (look.startsWith("phone")) await each.getByRole("button", { name: "Show sidebar" }).click();
    await each.getByRole("button", { name: "Settings" }).first().click();
    await each.getByRole("button", { name: "Models", exact: true }).click();
    await each.getByText("Add provider").waitFor();
    await picture(each, `settings-${look}`);
  });
}

/** Waits for the colours of code, which come after its text. */
async function coloured(page: Page): Promise<void> {
  await log(page).locator(".code-keyword, .code-function").first().waitFor();
}

/** Begins a thread and waits until it is shown. */
async function begin(page: Page, text: string, approvals?: string): Promise<void> {
  await page.getByRole("button", { name: "New thread", exact: true }).click();
  await page.getByRole("heading", { name: "What should we build?" }).waitFor();
  if (approvals !== undefined) {
    await page.getByRole("button", { name: /^Permissions:/ }).click();
    await page.getByRole("menuitemradio", { name: new RegExp(`^${approvals}`) }).click();
  }
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.waitForURL(/#\/thread\//);
}

async function inEachLook(url: string, take: (page: Page, look: string) => Promise<void>): Promise<void> {
  for (const [size, options] of Object.entries(sizes)) {
    for (const theme of themes) {
      const page = await open(browser, url, options, theme);
      await take(page, `${size}-${theme}`);
      await page.context().close();
    }
  }
}

async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  theme: "dark" | "light",
): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  return page;
}

/** Takes a picture once fonts are there and nothing moves. */
async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready");
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled", caret: "hide" });
  console.log(`docs/images/${name}.png`);
}

async function start(env: Readonly<Record<string, string>>): Promise<{ readonly url: string } & AsyncDisposable> {
  const args = ["up", "--no-open", "--json", "--port", "0", "--no-discovery"];
  const quire = join(root, "packages", "cli", "bin", "quire");
  const child = spawn(quire, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("exit", (code) => reject(new Error(`quire up ended with ${code}`)));
  });
}
