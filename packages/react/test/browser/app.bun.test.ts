/** The example's page in Chromium, as its user sees it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromiumPath, gate, type ScriptedServer, scriptedServer } from "@quire/testkit";
import { type Browser, chromium, type Page } from "playwright-core";
import { WebSocketServer } from "ws";

const timeout = 60_000;
let scripts: string;
let browser: Browser;
let site: Server;
let next: ScriptedServer;

before(
  async () => {
    const { outputs } = await Bun.build({
      entrypoints: [join(import.meta.dirname, "main.ts")],
      target: "browser",
      conditions: ["bun"],
    });
    scripts = (await outputs[0]?.text()) ?? "";
    // Root, as in a container, cannot use Chromium's sandbox; the page is our own.
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
    const page = '<script type="module" src="/main.js"></script>';
    site = createServer(({ url }, response) => {
      response.setHeader("content-type", url === "/main.js" ? "text/javascript" : "text/html");
      response.end(url === "/main.js" ? scripts : page);
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    new WebSocketServer({ server: site }).on("connection", (socket) => {
      const { transport } = next;
      transport.start({ message: (text) => socket.send(text), closed: () => socket.close() });
      socket.on("message", (data: Buffer) => transport.send(data.toString()));
    });
  },
  { timeout },
);

after(async () => {
  await browser?.close();
  site?.close();
});

/** A page on a server of its own. */
async function opened() {
  const server = scriptedServer();
  // A new thread has no history yet.
  server.on("thread/turns/list", { data: [], nextCursor: null, backwardsCursor: null });
  next = server;
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  const { port } = site.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/?server=ws://127.0.0.1:${port}`);
  await page.getByLabel("Message").waitFor();
  return {
    page,
    server,
    async [Symbol.asyncDispose]() {
      assert.deepEqual(problems, []);
      await page.close();
      await server.close();
    },
  };
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

test("a message is sent, the answer is shown as it is written, and then as it is", { timeout }, async () => {
  await using chat = await opened();
  const { page, server } = chat;
  const held = gate();
  server.turn({
    items: [
      { type: "message", text: "One moment." },
      { type: "wait", until: held },
    ],
    text: "All is well.",
  });
  await send(page, "Is all well?");
  await page.locator(".user", { hasText: "Is all well?" }).waitFor();
  await page.locator(".agent", { hasText: "One moment." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  held.open();
  await page.locator(".agent", { hasText: "All is well." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
});

test("an approval is asked for, and answered once", { timeout }, async () => {
  await using chat = await opened();
  const { page, server } = chat;
  server.turn({ items: [{ type: "command", command: "rm a.txt", approval: true }], text: "Left it." });
  await send(page, "Remove it");
  const question = page.locator(".question", { hasText: "rm a.txt" });
  await question.getByRole("button", { name: "Decline" }).click();
  await page.locator("summary", { hasText: "declined" }).waitFor();
  await page.locator(".agent", { hasText: "Left it." }).waitFor();
  assert.equal(await question.count(), 0);
});

test("a turn is stopped, and one that fails says why; the next one runs", { timeout }, async () => {
  await using chat = await opened();
  const { page, server } = chat;
  server.turn({ items: [{ type: "wait", until: new Promise(() => undefined) }] });
  await send(page, "Wait");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  server.turn({ error: { message: "The model is gone" } });
  await send(page, "Again");
  await page.getByRole("alert").filter({ hasText: "The model is gone" }).waitFor();
  server.turn({ text: "Back." });
  await send(page, "And now?");
  await page.locator(".agent", { hasText: "Back." }).waitFor();
  assert.deepEqual(await page.getByRole("alert").allTextContents(), []);
});
