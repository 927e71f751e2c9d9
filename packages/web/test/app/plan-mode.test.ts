import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openStage, type Stage } from "../e2e/support/stage.ts";
import { soon } from "../support/soon.ts";

let stage: Stage;
before(async () => {
  stage = await openStage({ offline: true });
});
after(() => stage[Symbol.asyncDispose]());

test("in plan mode the agent proposes a plan and asks; the mode stays, also after a reload, until another is chosen", async () => {
  const screen = await stage.tab();
  const { page } = screen;
  const choose = async (name: string) => {
    await screen.button(/^Mode:/).click();
    await page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click();
    await screen.button(`Mode: ${name}`).waitFor();
  };
  await choose("Plan");
  await screen.send("propose: read; change; test");
  const plan = page.getByRole("region", { name: "Proposed plan" });
  await plan.getByRole("listitem").getByText("change", { exact: true }).waitFor();
  await screen.ended();
  await screen.button("Mode: Plan").waitFor();

  await page.reload();
  await plan.waitFor();
  await screen.button("Mode: Plan").waitFor();
  await screen.send("ask: Which one? this | that");
  const form = page.getByRole("region", { name: "The agent asks you" });
  await form.getByText("Which one?").waitFor();
  await form.getByRole("radio", { name: "that" }).check();
  await screen.button("Answer").click();
  await screen.said(/Answered: that by you/).waitFor();
  await screen.said(/gave back.*that/).waitFor();
  await screen.ended();
  await soon(async () => {
    const rows = await screen.log.locator(".thread-row").allTextContents();
    const [asked = -1, answered = -1] = [/The agent asks you/, /gave back/].map((text) =>
      rows.findIndex((row) => text.test(row)),
    );
    assert.ok(asked >= 0 && asked < answered, "the question stands where it was asked");
  });

  await choose("Default");
  await screen.send("say: at work");
  await screen.ended();
  await page.reload();
  await screen.button("Mode: Default").waitFor();
  assert.deepEqual(screen.problems, []);
});
