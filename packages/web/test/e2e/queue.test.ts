import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { becomes } from "../support/soon.ts";
import { onEachServer } from "./support/each-server.ts";
import type { Screen } from "./support/screen.ts";
import type { Stage } from "./support/stage.ts";

const queueOf = ({ page }: Screen) => page.getByRole("list", { name: "Queued messages" });

async function queue(screen: Screen, words: string): Promise<void> {
  // While nothing runs, it would be sent.
  await screen.button("Stop").waitFor();
  await screen.message.fill(words);
  await screen.message.press("Alt+Enter");
  await queueOf(screen).getByText(words).waitFor();
}

await onEachServer((open, version) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  const timesAsked = (words: string): number =>
    stage.mock.requests.filter((request) => request.lastUserText.includes(words)).length;

  test("a queued message survives a reload, and is sent once when the turn ends", async () => {
    const singing = gate();
    stage.model("Sing.", reply().text(["The first ", singing, "verse."]), reply().text("Here is another verse."));
    const screen = await stage.tab();
    await screen.begin("Sing.");
    await screen.said("The first").waitFor();
    await queue(screen, "One more, please");
    await screen.page.reload();
    await queueOf(screen).getByText("One more, please").waitFor();
    // The page knows again that a turn runs, and waits for its end.
    await screen.button("Stop").waitFor();
    assert.equal(timesAsked("One more, please"), 0);
    singing.open();
    await screen.said("Here is another verse.").waitFor();
    await queueOf(screen).waitFor({ state: "detached" });
    await screen.said("One more, please").waitFor();
    assert.equal(timesAsked("One more, please"), 1);
    assert.deepEqual(screen.problems, []);
  });

  test("after Stop what is queued waits until it is sent by hand", async () => {
    stage.model("Dance.", reply().text(["One step ", gate(), "more"]), reply().text("I rest."));
    const screen = await stage.tab();
    await screen.begin("Dance.");
    await screen.said("One step").waitFor();
    await queue(screen, "Sit down");
    await screen.button("Stop").click();
    await screen.ended("Stopped");
    await screen.button("Stop").waitFor({ state: "detached" });
    assert.equal(timesAsked("Sit down"), 0);
    await screen.button("Send now: Sit down").click();
    await screen.said("I rest.").waitFor();
    await queueOf(screen).waitFor({ state: "detached" });
    assert.equal(timesAsked("Sit down"), 1);
  });

  test("what is queued last can have its turn first", async () => {
    const rowing = gate();
    stage.model("Row.", reply().text(["Pull ", rowing, "hard."]), reply().text("One."), reply().text("Two."));
    const screen = await stage.tab();
    await screen.begin("Row.");
    await screen.said("Pull").waitFor();
    await queue(screen, "Then rest");
    await queue(screen, "First drink");
    await becomes(() => screen.button("Move up: Then rest").count(), 0);
    await screen.button("Move up: First drink").click();
    await screen.button("Move up: Then rest").waitFor();
    rowing.open();
    await screen.said("Two.").waitFor();
    const asked = stage.mock.requests.map((request) => request.lastUserText);
    assert.deepEqual(
      asked.filter((text) => /^(Then rest|First drink)$/.test(text)),
      ["First drink", "Then rest"],
    );
    assert.deepEqual(screen.problems, []);
  });

  // Before 0.166 servers kept no queue: what waits is in the page.
  if (version === "0.118.0") return;

  test("every tab sees what is queued, and can change it", async () => {
    const working = gate();
    stage.model("Work.", reply().text(["Hammering ", working, "away."]), reply().text("Next is done."));
    const first = await stage.tab();
    await first.begin("Work.");
    await first.said("Hammering").waitFor();
    await queue(first, "The next thing");
    const second = await stage.tab();
    await second.page.goto(first.page.url());
    await queueOf(second).getByText("The next thing").waitFor();
    await queue(second, "Something else");
    await queueOf(first).getByText("Something else").waitFor();
    await first.button("Edit: Something else").click();
    await queueOf(second).getByText("Something else").waitFor({ state: "detached" });
    await becomes(() => first.message.inputValue(), "Something else");
    working.open();
    for (const screen of [first, second]) {
      await screen.said("Next is done.").waitFor();
      await queueOf(screen).waitFor({ state: "detached" });
    }
    assert.equal(timesAsked("The next thing"), 1);
    assert.equal(timesAsked("Something else"), 0);
    assert.deepEqual([...first.problems, ...second.problems], []);
  });

  test("what is chosen with a queued message holds when it is sent", async () => {
    const reading = gate();
    const touch = (file: string) => reply().functionCall("exec_command", { cmd: `touch ${file}` });
    stage.model("Read.", reply().text(["The ", reading, "book."]), touch("chosen.txt"), reply().text("Written."));
    const screen = await stage.tab();
    await screen.begin("Read.");
    await screen.said("The").waitFor();
    await screen.button(/^Permissions:/).click();
    await screen.page.getByRole("menuitemradio", { name: /^Ask always/ }).click();
    await queue(screen, "Now write");
    reading.open();
    await screen.button("Decline").waitFor();
    await screen.button("Approve").click();
    await screen.said("Written.").waitFor();
  });
});
