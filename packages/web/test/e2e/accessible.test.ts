import { after, afterEach, before, describe, test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import type { Screen } from "./support/screen.ts";
import { openStage, type Stage, type TabOptions } from "./support/stage.ts";

const phone: TabOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens a dialog by a key, looks at it and closes it. */
async function lookAtDialog({ page }: Screen, name: string, keys: string): Promise<void> {
  await page.keyboard.press(keys);
  await page.getByRole("dialog", { name }).waitFor();
  await assertAccessible(page, name);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name }).waitFor({ state: "detached" });
}

async function lookAtPanels({ page }: Screen): Promise<void> {
  for (const [tab, content] of [
    ["Changes", /a\.ts/],
    ["Plan", /read/],
    ["Usage", /Nothing used yet|This thread/],
    ["MCP", "No MCP servers"],
    ["Account", "With an API key"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel", { name: tab }).getByText(content).first().waitFor();
    await assertAccessible(page, `the panel ${tab}`);
  }
}

for (const theme of ["dark", "light"] as const) {
  describe(`axe-core finds nothing serious, ${theme}`, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage({ offline: true });
    });
    afterEach(() => stage.closeTabs());
    after(() => stage[Symbol.asyncDispose]());

    test("in a first run, an approval and a thread", async () => {
      const screen = await stage.tab({ theme });
      const { page } = screen;
      await screen.hub();
      await assertAccessible(page, "the first page");
      await screen.button("Archived threads").click();
      await page.getByText("Nothing archived.").waitFor();
      await assertAccessible(page, "the archived view without a thread");
      await screen.button("Archived threads").first().click();
      await screen.begin(
        "think: about it\nplan: read; write\nsay: # Title\n\nText with `code`, a [link](https://example.com) and a list:\n\n- one\n- two",
        { approvals: "Ask always" },
      );
      await screen.ended();
      await screen.send("write: a.ts\nexport const answer = 42;");
      await screen.button("Decline").waitFor();
      await assertAccessible(page, "an approval");
      await screen.button("Approve").click();
      await screen.ended();
      await assertAccessible(page, "a thread");
    });

    test("in the panels beside a thread", async () => {
      const screen = await stage.tab({ theme });
      await screen.begin("plan: read; write");
      await screen.ended();
      await screen.send("write: a.ts\nexport const answer = 42;");
      await screen.button("Approve").click();
      await screen.ended();
      await screen.button("Show panel").click();
      await screen.button("Hide panel").waitFor();
      await lookAtPanels(screen);
    });

    test("in dialogs", async () => {
      const screen = await stage.tab({ theme });
      const { page } = screen;
      await screen.begin("say: something");
      await screen.ended();
      await screen.message.press("Escape");
      await lookAtDialog(screen, "Settings", "Control+,");
      await lookAtDialog(screen, "Command palette", "Control+k");
      await lookAtDialog(screen, "Keyboard shortcuts", "?");
      await screen.button("Add a server").click();
      await page.getByRole("textbox", { name: "Address" }).fill("nowhere");
      await page.getByRole("textbox", { name: "Address" }).press("Enter");
      await page.getByRole("alert").waitFor();
      await assertAccessible(page, "an address that is none");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Add a server" }).waitFor({ state: "detached" });
      await screen.message.fill("/status");
      await screen.message.press("Enter");
      await page.getByRole("dialog", { name: "Status" }).waitFor();
      await assertAccessible(page, "the status");
    });

    test("in lists of suggestions, menus and the terminal", async () => {
      const screen = await stage.tab({ theme });
      const { page } = screen;
      await screen.begin("say: something");
      await screen.ended();
      await screen.message.pressSequentially("/");
      await page.getByRole("option").first().waitFor();
      await assertAccessible(page, "suggestions");
      await screen.message.fill("");
      await screen.button(/^Permissions:/).click();
      await page.getByRole("menuitemradio").first().waitFor();
      await assertAccessible(page, "a menu of the composer");
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await screen.button("Thread actions").click();
      await page.getByRole("menuitem").first().waitFor();
      await assertAccessible(page, "a menu of a thread");
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.keyboard.press("Control+j");
      await page.getByRole("region", { name: "Terminal" }).getByRole("textbox").waitFor();
      await assertAccessible(page, "the terminal");
    });

    test("in searches and archived threads", async () => {
      const screen = await stage.tab({ theme });
      const { page } = screen;
      await screen.begin("say: the lighthouse");
      await screen.ended();
      const search = page.getByRole("searchbox", { name: "Search threads" });
      await search.fill("lighthouse");
      await page.getByRole("list", { name: "Search results" }).getByRole("link").first().waitFor();
      await assertAccessible(page, "search results");
      await search.fill("zebra");
      await page.getByText("Nothing found for").waitFor();
      await assertAccessible(page, "a search that found nothing");
      await search.fill("");
      await screen.choose("Archive");
      await page.getByRole("heading", { name: "What should we build?" }).waitFor();
      await screen.button("Archived threads").click();
      await screen.thread(/lighthouse/).click();
      await screen.button("Unarchive").waitFor();
      await assertAccessible(page, "an archived thread");
    });

    test("on a phone", async () => {
      const screen = await stage.tab({ ...phone, theme });
      const { page } = screen;
      await page.getByRole("heading", { name: "What should we build?" }).waitFor();
      await assertAccessible(page, "the first page");
      await screen.message.fill("plan: read; write\nsay: **done**\nwrite: a.ts\nexport const answer = 42;");
      await screen.button("Send").tap();
      await screen.button("Approve").waitFor();
      await assertAccessible(page, "an approval");
      await screen.button("Approve").tap();
      await screen.ended();
      await assertAccessible(page, "a thread");
      await screen.button("Show panel").tap();
      await page.getByRole("dialog", { name: "Side panel" }).waitFor();
      await assertAccessible(page, "the panel");
      await screen.button("Close panel").tap();
      await screen.button("Show terminal").tap();
      await page.getByRole("region", { name: "Terminal" }).getByRole("textbox").waitFor();
      await assertAccessible(page, "the terminal");
      await screen.button("End terminal").tap();
      await screen.button("Show sidebar").tap();
      await screen.button("Archived threads").tap();
      await page
        .getByText("Nothing archived.")
        .or(screen.thread(/lighthouse/))
        .first()
        .waitFor();
      await assertAccessible(page, "the archived view");
      await screen.button("Settings").tap();
      await page.getByRole("dialog", { name: "Settings" }).waitFor();
      await assertAccessible(page, "the settings");
    });
  });

  test(`axe-core finds nothing serious where a thread's server is gone, ${theme}`, async () => {
    await using stage = await openStage({ apart: true });
    stage.model("Wait for me.", reply().text("Here I am."), reply().text(["Still ", gate(), "here"]));
    const screen = await stage.tab({ theme });
    const { page } = screen;
    await screen.begin("Wait for me.");
    await screen.said("Here I am.").waitFor();
    await screen.ended();
    await screen.send("Are you there?");
    await screen.said("Still").waitFor();
    await screen.message.fill("And then?");
    await screen.message.press("Alt+Enter");
    await page.getByRole("list", { name: "Queued messages" }).waitFor();
    await assertAccessible(page, "a turn at work, with a queue");
    await stage.killServer();
    await page.getByText(/is not connected\. What you write is kept/).waitFor();
    await assertAccessible(page, "a thread whose server is gone");
    await screen.button("Show panel").click();
    await page.getByRole("tab", { name: "Account" }).click();
    await page.getByText("Not connected", { exact: true }).last().waitFor();
    await assertAccessible(page, "a panel whose server is gone");
  });

  test(`axe-core finds nothing serious without a server, access or the gateway, ${theme}`, async () => {
    await using stage = await openStage({ offline: true });
    const { page } = await stage.tab({ theme });
    const stranger = await stage.tab({ theme });
    await page.goto(`${new URL(page.url()).origin}/#/thread/none/none`);
    await page.getByText("This thread's server is not connected").waitFor();
    await assertAccessible(page, "a thread of no server");
    await stranger.page.context().clearCookies();
    await stranger.page.reload();
    await stranger.page.getByText("Sign in to Quire").waitFor();
    await assertAccessible(stranger.page, "a browser without access");
    await stage.endGateway();
    await page.getByText("Not connected to Quire.").waitFor();
    await assertAccessible(page, "a page without its gateway");
  });
}
