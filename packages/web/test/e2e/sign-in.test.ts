import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { type MockResponses, mockResponses, reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { openStage, type Stage } from "./support/stage.ts";

let provider: MockResponses;
let door: ReturnType<typeof createServer>;
let stage: Stage;

/** Knows one key, and hands requests that show it on to the scripted model. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.headers.authorization !== "Bearer sk-good") {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "Incorrect API key provided: sk-bad." } }));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await fetch(new URL(request.url ?? "/", provider.url), {
    method: request.method ?? "GET",
    headers: { "content-type": "application/json" },
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

before(async () => {
  provider = await mockResponses();
  door = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  stage = await openStage({ offline: true, config: `openai_base_url = "http://127.0.0.1:${port}/v1"\n` });
});
afterEach(() => stage.closeTabs());
after(async () => {
  await stage[Symbol.asyncDispose]();
  door.closeAllConnections();
  await new Promise((resolve) => door.close(resolve));
  await provider.close();
});

test("models that cannot run say why; a key is checked, and once it is good the page shows the model that answers", async () => {
  const screen = await stage.tab();
  const { page } = screen;
  await screen.button("Model: Quire offline").click();
  const other = page.getByRole("menuitemradio", { name: /^GPT-6\.1-Sol/ });
  await other.filter({ hasText: "Sign in first." }).waitFor();
  assert.equal(await other.getAttribute("aria-disabled"), "true");
  await page.keyboard.press("Escape");

  await screen.button("Show panel").click();
  await page.getByRole("tab", { name: "Account" }).click();
  const key = page.getByRole("textbox", { name: "API key" });
  await key.fill("sk-bad");
  await screen.button("Use this key").click();
  await page.getByText(/The provider refused this key \(HTTP 401: Incorrect API key.*Nothing was stored/).waitFor();
  await screen.button("Model: Quire offline").waitFor();

  await key.fill("sk-good");
  await screen.button("Use this key").click();
  await page.getByRole("heading", { name: "Signed in" }).waitFor();
  assert.equal(await page.getByText("could not be checked").count(), 0);
  await screen.button("Model: GPT-6.1-Sol").waitFor();
  provider.script(reply().text("A real answer."));
  await screen.begin("Who answers?");
  await screen.said("A real answer.").waitFor();
  assert.equal((provider.last.body as { model?: string }).model, "gpt-6.1-sol");
  await screen.button("Model: GPT-6.1-Sol").waitFor();

  await screen.button("Sign out").click();
  await screen.open();
  await screen.button("Model: Quire offline").waitFor();
  assert.deepEqual(screen.problems, []);
});

test("a browser without access is let in by the token, pasted with or without the address", async () => {
  const screen = await stage.tab();
  const { page } = screen;
  const token = stage.token;
  await page.context().clearCookies();
  await page.reload();
  await page.getByText("Sign in to Quire").waitFor();
  await assertAccessible(page, "the page that asks for a token");
  const field = page.getByLabel("Code, token or address");
  await field.fill("not the token at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("That code or token is not valid.").waitFor();
  await field.fill(`http://127.0.0.1:1/#token=${token}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await screen.message.waitFor();
  const cookies = await page.context().cookies();
  assert.ok(cookies.every(({ expires }) => expires * 1000 > Date.now() + 30 * 24 * 3600 * 1000));
});

test("the printed address lets a browser in that already shows the page for the token", async () => {
  const { page, message } = await stage.tab();
  await page.context().clearCookies();
  await page.reload();
  await page.getByText("Sign in to Quire").waitFor();
  await page.goto(`${new URL(page.url()).origin}/#token=${stage.token}`);
  await message.waitFor();
});

test("a browser stays signed in when Quire is started again", async () => {
  const screen = await stage.tab();
  await stage.restartGateway();
  await screen.page.reload();
  await screen.message.waitFor();
  assert.equal(await screen.page.getByText("Sign in to Quire").count(), 0);
});
