import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { reply } from "@quire/testkit";
import { keptImages } from "../support/kept-images.ts";
import { becomes } from "../support/soon.ts";
import { onEachServer } from "./support/each-server.ts";
import type { Stage, TabOptions } from "./support/stage.ts";

const phone: TabOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A red dot. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

await onEachServer((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a draft survives a reload with its image, and goes to the model as it was", async () => {
    stage.model("What do you see", reply().text("A dot."));
    const screen = await stage.tab();
    await screen.open();
    const form = screen.page.getByRole("form", { name: "Composer" });
    await screen.message.fill("What do you see");
    await screen.page
      .locator("input[type=file]")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
    await form.getByRole("img", { name: "dot.png" }).waitFor();
    await becomes(async () => (await keptImages(screen.page)).length, 1);
    await screen.page.reload();
    await form.getByRole("img", { name: "dot.png" }).waitFor();
    await becomes(() => screen.message.inputValue(), "What do you see");
    await screen.button("Send").click();
    await screen.said("A dot.").waitFor();
    assert.ok(JSON.stringify(stage.mock.last.body).includes(png));
    await screen.open();
    await becomes(() => screen.message.inputValue(), "");
    await becomes(async () => (await keptImages(screen.page)).length, 0);
    await becomes(() => form.getByRole("img", { name: "dot.png" }).count(), 0);
  });

  test("files are named with @, and a thread is renamed and compacted by commands", async () => {
    mkdirSync(join(stage.cwd, "src"), { recursive: true });
    writeFileSync(join(stage.cwd, "src", "lighthouse.ts"), "export {};\n");
    stage.model("Look at @src", reply().text("I looked."), reply().text("A short summary."));
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Look at @src first");
    await screen.said("I looked.").waitFor();
    await screen.ended();
    await screen.message.pressSequentially("@lightho");
    await page.getByRole("option", { name: /lighthouse\.ts/ }).waitFor();
    await screen.message.press("Enter");
    await becomes(() => screen.message.inputValue(), "@src/lighthouse.ts ");
    await screen.message.fill("/rename The lamp");
    await screen.message.press("Enter");
    await screen.thread(/The lamp/).waitFor();
    await screen.message.fill("/compact");
    await screen.message.press("Enter");
    await screen.said(/compacted/i).waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("a question of the agent is answered in a form", async () => {
    const question = {
      id: "colour",
      header: "Colour",
      question: "Which colour?",
      options: [
        { label: "Red", description: "Like a lamp" },
        { label: "Blue", description: "Like the sea" },
      ],
    };
    stage.model(
      "Paint it.",
      reply().functionCall("request_user_input", { questions: [question] }),
      reply().text("It is painted."),
    );
    const screen = await stage.tab();
    await screen.begin("Paint it.", { mode: "Plan" });
    await screen.page.getByRole("radio", { name: /^Blue/ }).check();
    await screen.button("Answer").click();
    await screen.said(/Answered: Blue by you/).waitFor();
    await screen.said("It is painted.").waitFor();
    assert.match(JSON.stringify(stage.mock.last.body), /Blue/);
  });

  test("the terminal is a shell in the thread's folder, on the server's machine", async () => {
    stage.model("Open a door.", reply().text("It is open."));
    const screen = await stage.tab();
    await screen.begin("Open a door.");
    await screen.said("It is open.").waitFor();
    await screen.button("Show terminal").click();
    const input = screen.page.getByRole("textbox", { name: "Terminal input" });
    await input.waitFor();
    await input.pressSequentially("pwd > typed.txt; exit 3\n");
    await screen.page.getByText("The shell has ended with code 3.").waitFor();
    assert.ok(existsSync(join(stage.cwd, "typed.txt")));
    assert.equal(readFileSync(join(stage.cwd, "typed.txt"), "utf8").trim(), stage.cwd);
  });

  test("on a phone a turn is begun, approved and found again by thumb", async () => {
    stage.model(
      "By thumb.",
      reply().functionCall("exec_command", { cmd: "touch thumb.txt" }),
      reply().text("Done by thumb."),
    );
    const screen = await stage.tab(phone);
    const { page } = screen;
    await screen.button("Show sidebar").tap();
    await screen.open();
    await screen.threads.waitFor({ state: "hidden" });
    await screen.pick("Approvals", "Ask always");
    await screen.message.fill("By thumb.");
    await screen.button("Send").tap();
    await screen.button("Approve").tap();
    await screen.said("Done by thumb.").waitFor();
    assert.ok(existsSync(join(stage.cwd, "thumb.txt")));
    await screen.button("Show sidebar").tap();
    await screen.button("New thread").first().tap();
    await page.getByRole("heading", { name: "What should we build?" }).waitFor();
    await screen.button("Show sidebar").tap();
    await screen.thread(/By thumb/).tap();
    await screen.said("Done by thumb.").waitFor();
    await screen.threads.waitFor({ state: "hidden" });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  });
});
