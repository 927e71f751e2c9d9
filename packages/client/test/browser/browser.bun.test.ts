/** The client in a real browser, on a real Codex. Needs Bun, whose bundler makes the page. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import {
  eventually,
  gate,
  type ListeningServer,
  listen,
  type MockResponses,
  mockResponses,
  type RealCodex,
  realCodex,
  reply,
} from "@quire/testkit";
import type { Page as BrowserPage } from "playwright-core";
import { bundleFiles } from "./bundle.ts";
import { startChromium } from "./chromium.ts";
import type { Page } from "./page.ts";
import { type Relay, relayTo } from "./relay.ts";

declare const page: Page;

const timeout = 60_000;
let mock: MockResponses;
let codex: RealCodex;
let listener: ListeningServer;
let relay: Relay;
let site: Server;
let browser: Awaited<ReturnType<typeof startChromium>>;
let tab: BrowserPage;
const complaints: string[] = [];

before(
  async () => {
    mock = await mockResponses();
    codex = await realCodex(codexVersion, { model: mock });
    listener = await listen(codex);
    relay = await relayTo(listener.url);
    site = await serve(await bundleFiles(join(import.meta.dirname, "page.ts")));
    browser = await startChromium();
    tab = await browser.context.newPage();
    tab.on("console", (message) => void complaints.push(message.text()));
    tab.on("pageerror", (error) => void complaints.push(String(error)));
    await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await tab.waitForFunction(() => typeof page === "object");
  },
  { timeout },
);

after(
  async () => {
    await browser?.[Symbol.asyncDispose]();
    site?.closeAllConnections();
    site?.close();
    await relay?.[Symbol.asyncDispose]();
    await listener?.kill();
    await codex?.[Symbol.asyncDispose]();
    await mock?.close();
  },
  { timeout },
);

/** The page and its scripts. */
async function serve(files: ReadonlyMap<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    const script = files.get(path);
    if (path === "/") {
      response.setHeader("content-type", "text/html");
      response.end('<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>');
    } else if (script !== undefined) {
      response.setHeader("content-type", "text/javascript");
      response.end(script);
    } else {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const runTurn = (prompt: string) =>
  tab.evaluate(([url = "", text = ""]) => page.runTurn(url, text), [relay.url, prompt]);

test("a page connects by WebSocket and streams a turn of a real Codex", { timeout }, async () => {
  mock.script(
    reply().functionCall("exec_command", { cmd: "echo from the shell" }, { callId: "call_shell" }),
    reply().text("The page is served.", { chunks: 4 }),
  );
  const report = await runTurn("Go");
  assert.equal(report.version, codexVersion);
  assert.deepEqual(report.items, ["userMessage", "commandExecution", "agentMessage"]);
  assert.equal(report.deltas.length, 4);
  assert.equal(report.deltas.join(""), "The page is served.");
  assert.equal(report.agentMessage, "The page is served.");
  assert.equal(report.status, "completed");
  assert.match(mock.last.functionOutput("call_shell") ?? "", /from the shell/);
  assert.ok(relay.origins[0]?.startsWith("http://127.0.0.1:"), "a browser always says where it comes from");
});

test("a tool runs in the page", { timeout }, async () => {
  mock.script(reply().functionCall("where_am_i", {}, { callId: "call_where" }), reply().text("There."));
  assert.equal((await runTurn("Where?")).agentMessage, "There.");
  assert.equal(mock.last.functionOutput("call_where"), tab.url());
});

test("a page whose connection is lost in a turn comes back and sees its end", { timeout }, async () => {
  const hold = gate();
  mock.script(reply().text(["First half, ", hold, "second half."]));
  const running = runTurn("Go");
  // What was heard in the turn before may still be there.
  await tab.waitForFunction(() => page.heard.join("") === "First half, ");
  const connections = relay.origins.length;
  relay.drop();
  await eventually(() => relay.origins.length > connections);
  hold.open();
  const report = await running;
  assert.equal(report.agentMessage, "First half, second half.");
  assert.equal(report.status, "completed");
  assert.deepEqual(report.states.slice(0, 3), ["ready", "reconnecting", "ready"]);
});

test("what a page cannot do fails with a ConnectionError that says so", { timeout }, async () => {
  assert.match(await tab.evaluate(() => page.failToSpawn()), /^spawn-failed: A browser cannot start an app-server/);
  const refused = await tab.evaluate(([url = ""]) => page.failToConnect(url), [listener.url]);
  assert.match(refused, /^closed: /, "Codex refuses the Origin of a page");
});

test("the page had nothing to complain of but the connection that was refused", () => {
  assert.deepEqual(
    complaints.filter((text) => !/WebSocket connection to .* failed|net::ERR/.test(text)),
    [],
  );
});
