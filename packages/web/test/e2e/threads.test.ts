import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { reply } from "@quire/testkit";
import { onEachServer } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

/** A red dot. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

await onEachServer((open, version) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("a thread is found by a search, renamed, forked, archived and brought back", async () => {
    stage.model("Where is the lighthouse?", reply().text("On the cliff."), reply().text("Still on the cliff."));
    const screen = await stage.tab();
    await screen.begin("Where is the lighthouse?");
    await screen.said("On the cliff.").waitFor();
    await screen.ended();
    await screen.choose("Rename");
    const name = screen.page.getByRole("main").getByRole("textbox", { name: /name/i });
    await name.fill("Beacons");
    await name.press("Enter");
    await screen.thread(/Beacons/).waitFor();

    await screen.page.getByRole("searchbox", { name: "Search threads" }).fill("Beacons");
    await screen.page.getByRole("list", { name: "Search results" }).getByText("Beacons").waitFor();
    // Before 0.166 servers search names and first messages only.
    const said = version === "0.118.0" ? "lighthouse" : "the cliff";
    await screen.page.getByRole("searchbox", { name: "Search threads" }).fill(said);
    await screen.page
      .getByRole("list", { name: "Search results" })
      .getByRole("link", { name: /Beacons/ })
      .waitFor();
    await screen.page.getByRole("searchbox", { name: "Search threads" }).fill("");

    const original = screen.page.url();
    await screen.choose("Fork");
    await screen.page.waitForURL((url) => url.href !== original);
    await screen.said("On the cliff.").waitFor();
    await screen.send("And now?");
    await screen.said("Still on the cliff.").waitFor();
    await screen.ended();

    await screen.choose("Archive");
    await screen.page.getByRole("heading", { name: "What should we build?" }).waitFor();
    await screen.button("Archived threads").first().click();
    const archived = screen.threads.getByRole("region", { name: /^Archived threads/ }).getByRole("link");
    await archived.first().click();
    await screen.page.getByText("This thread is archived").waitFor();
    await screen.button("Unarchive").click();
    await screen.message.waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("a picture goes to the model and is shown", async () => {
    const file = join(stage.cwd, "dot.png");
    writeFileSync(file, Buffer.from(png, "base64"));
    stage.model("What colour is it?", reply().text("Red."));
    const screen = await stage.tab();
    await screen.open();
    await screen.page.locator("input[type=file]").setInputFiles(file);
    await screen.page.getByRole("form", { name: "Composer" }).getByRole("img").first().waitFor();
    await screen.send("What colour is it?");
    await screen.log
      .getByRole("img", { name: /image|dot/i })
      .first()
      .waitFor();
    await screen.said("Red.").waitFor();
    assert.ok(JSON.stringify(stage.mock.last.body).includes("data:image/png;base64,"));
  });

  // 0.118 does not offer agents to a model.
  if (version === "0.118.0") return;
  test("a sub-agent is nested below the thread that started it, and leads back", async () => {
    const agents = { namespace: "multi_agent_v1" };
    stage.mock
      .when((request) => request.inputText().includes("CHILD TASK") && !request.inputText().includes("PARENT TASK"))
      .always(reply().text("The child is done."));
    stage.model(
      "PARENT TASK",
      reply().functionCall("spawn_agent", { message: "CHILD TASK" }, { callId: "spawn", ...agents }),
      (request) => {
        const { agent_id } = JSON.parse(request.functionOutput("spawn") ?? "{}") as { agent_id: string };
        return reply().functionCall("wait_agent", { targets: [agent_id], timeout_ms: 20_000 }, { ...agents });
      },
      reply().text("All are done."),
    );
    const screen = await stage.tab();
    await screen.begin("PARENT TASK");
    await screen.said("All are done.").waitFor();
    const child = screen.threads.locator(".sidebar-nested").getByRole("link").first();
    await child.click();
    await screen.said("The child is done.").waitFor();
    await screen.page
      .locator(".app-header-parent")
      .getByRole("link", { name: /PARENT TASK/ })
      .click();
    await screen.said("All are done.").waitFor();
  });
});
