import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { openStage, type Stage, type TabOptions } from "./support/stage.ts";

const phone: TabOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let stage: Stage;
before(async () => {
  stage = await openStage({ offline: true });
});
afterEach(() => stage.closeTabs());
after(() => stage[Symbol.asyncDispose]());

test("a newcomer with no key and no network chats, approves a command and sees a diff", async () => {
  const screen = await stage.tab();
  assert.ok(!screen.page.url().includes("token"), "the token is still in the address bar");
  // What a thread may do is said before it begins, and holds once it has begun.
  await screen.button("Permissions: Read only, Ask when needed").waitFor();
  await screen.button("What can you do?").click();
  await screen.said(/offline model/).waitFor();
  await screen.ended();
  await screen.button("Permissions: Read only, Ask when needed").waitFor();
  await screen.begin("run: touch made.txt", { approvals: "Ask always" });
  await screen.button("Approve").click();
  await screen.ended();
  assert.ok(existsSync(join(stage.cwd, "made.txt")));
  await screen.send("write: hello.txt\nHello from Quire");
  await screen.button("Approve").click();
  await screen.ended();
  await screen.log.getByText("Hello from Quire").last().waitFor();
  assert.ok(existsSync(join(stage.cwd, "hello.txt")));
  assert.deepEqual(screen.problems, []);
});

test("a question of the agent is answered in a form", async () => {
  const screen = await stage.tab();
  await screen.begin("ask: Which colour? red | blue", { mode: "Plan" });
  await screen.page.getByRole("radio", { name: /^blue/ }).check();
  await screen.button("Answer").click();
  await screen.said(/Answered: blue by you/).waitFor();
  await screen.ended();
});

test("on a phone the sidebar is a sheet, and everything can be reached", async () => {
  const screen = await stage.tab(phone);
  await screen.message.fill("run: touch phone.txt");
  await screen.pick("Approvals", "Ask always");
  await screen.button("Send").tap();
  await screen.button("Approve").waitFor();
  await assertAccessible(screen.page, "an approval on a phone");
  await screen.button("Approve").tap();
  await screen.ended();
  const wide = await screen.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, "the page can be scrolled sideways");
  assert.equal(await screen.threads.isVisible(), false);
  await screen.button("Show sidebar").tap();
  await screen.thread(/phone\.txt/).waitFor();
  await assertAccessible(screen.page, "the sidebar on a phone");
  await screen.button("New thread").first().tap();
  await screen.page.getByRole("heading", { name: "What should we build?" }).waitFor();
  await screen.threads.waitFor({ state: "hidden" });
});

test("a first message that the server refuses is not lost: it stands in the thread's box", async () => {
  const screen = await stage.tab();
  const { page } = screen;
  let refusals = 1;
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { hub, message } = JSON.parse(String(text)) as { hub?: string; message?: { id: number; method?: string } };
      if (message?.method !== "turn/start" || refusals-- <= 0) return server.send(text);
      const error = { code: -32_000, message: "The model is overloaded: try again." };
      socket.send(JSON.stringify({ type: "rpc", hub, message: { id: message.id, error } }));
    });
  });
  await page.reload();
  await screen.hub();
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from("not looked at") });
  await page.getByAltText("dot.png").waitFor();
  await screen.message.fill("say: at last");
  await screen.button("Send").click();
  await page.getByText("The message was not sent. The model is overloaded: try again.").waitFor();
  await page.waitForURL(/#\/thread\//);
  await becomes(() => screen.message.inputValue(), "say: at last");
  await becomes(() => page.getByRole("list", { name: "Attached images" }).getByRole("img").count(), 1);
  await screen.button("Send").click();
  await screen.said("at last").waitFor();
});

test("who has no account yet is told so before the first message, and led to where one signs in", async () => {
  // An address where nobody listens: what a key is worth cannot be found out.
  const config = 'model_provider = "openai"\nopenai_base_url = "http://127.0.0.1:9/v1"\n';
  await using other = await openStage({ offline: true, config });
  const screen = await other.tab();
  await screen.page.getByText("needs an account before it can ask a model.").waitFor();
  await assertAccessible(screen.page, "a first page without an account");
  await screen.button("Sign in").click();
  await screen.page.getByRole("textbox", { name: "API key" }).fill("sk-not-a-key");
  await screen.button("Use this key").click();
  await screen.page.getByRole("heading", { name: "Signed in" }).waitFor();
  await screen.page.getByText(/The key is stored, but could not be checked/).waitFor();
  await screen.button("Sign in").waitFor({ state: "detached" });
  await screen.button("Close panel").click();
  await screen.button("Show panel").click();
  await screen.button("Sign out").click();
  await screen.button("Sign in").waitFor();
  assert.deepEqual(screen.problems, []);
});
