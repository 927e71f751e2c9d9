import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

await onNewestServers((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("files are found in a tree and by name, shown with their lines, and opened in an editor", async () => {
    mkdirSync(join(stage.cwd, "src", "deep"), { recursive: true });
    const lines = Array.from({ length: 300 }, (_, at) => `export const line${at + 1} = ${at + 1};`);
    writeFileSync(join(stage.cwd, "src", "deep", "long file.ts"), `${lines.join("\n")}\n`);
    writeFileSync(join(stage.cwd, "dot.png"), Buffer.from(pixel, "base64"));
    writeFileSync(join(stage.cwd, "data.bin"), Buffer.from([1, 0, 2]));
    stage.model(
      "Where is it?",
      reply().text("In `src/deep/long.ts:120`, see [the long one](<src/deep/long file.ts#L250>), not `npm run x`."),
    );
    writeFileSync(join(stage.cwd, "src", "deep", "long.ts"), `${lines.join("\n")}\n`);
    const screen = await stage.tab();
    const { page } = screen;
    await screen.begin("Where is it?");
    await screen.ended();
    const panel = page.getByRole("complementary", { name: "Side panel" });

    await screen.log.getByRole("button", { name: "src/deep/long.ts:120" }).click();
    const file = panel.getByRole("region", { name: "src/deep/long.ts" });
    await file.locator('[data-line="120"][aria-current]').getByText("line120").waitFor();
    await assertAccessible(page, "a file");
    await screen.log.getByRole("button", { name: "the long one" }).click();
    await panel.locator('[data-line="250"][aria-current]').waitFor();
    const link = panel.getByRole("link", { name: /^Open in/ });
    const encoded = join(stage.cwd, "src/deep/long file.ts").replace(" ", "%20");
    assert.equal(await link.getAttribute("href"), `vscode://file${encoded}:250`);
    await panel.getByRole("button", { name: "Choose editor" }).click();
    await page.getByRole("menuitemradio", { name: "Zed" }).click();
    assert.equal(await link.getAttribute("href"), `zed://file${encoded}:250`);

    await panel.getByRole("button", { name: "All files" }).click();
    await panel.getByRole("button", { name: "src", exact: true }).click();
    await panel.getByRole("button", { name: "deep", exact: true }).click();
    await panel.getByRole("button", { name: "long.ts", exact: true }).waitFor();
    await assertAccessible(page, "the tree of files");
    await panel.getByRole("button", { name: "dot.png" }).click();
    await panel.getByRole("img", { name: "dot.png" }).waitFor();
    await panel.getByRole("button", { name: "All files" }).click();
    await panel.getByRole("button", { name: "data.bin" }).click();
    await panel.getByText("This is a binary file.").waitFor();
    await panel.getByRole("button", { name: "All files" }).click();
    await panel.getByRole("searchbox", { name: "Go to file" }).fill("longfile");
    await panel.getByRole("button", { name: "src/deep/long file.ts" }).click();
    await panel.locator('[data-line="1"]').getByText("line1").first().waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("the folder of a thread is chosen from the disk, or cloned into it", async () => {
    const root = join(dirname(stage.cwd), "places");
    const origin = join(dirname(stage.cwd), "origin", "tools.git");
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, "here", "inside"), { recursive: true });
    mkdirSync(origin, { recursive: true });
    execFileSync("git", ["init", "-q", "--bare", origin]);
    const screen = await stage.tab();
    const { page } = screen;
    await screen.open();
    const field = page.getByRole("combobox", { name: "Folder" });
    await field.fill(root);
    await screen.button("Browse").click();
    const dialog = page.getByRole("dialog", { name: "Choose a folder" });
    await dialog.getByRole("button", { name: "here" }).click();
    await dialog.getByRole("button", { name: "inside" }).waitFor();
    await assertAccessible(page, "the choice of a folder");
    await dialog.getByRole("button", { name: "Choose this folder" }).click();
    await becomes(() => field.inputValue(), join(root, "here"));
    await screen.button("Browse").click();
    const address = dialog.getByRole("textbox", { name: "Repository address" });
    await address.fill("ext::sh -c true");
    await dialog.getByRole("button", { name: "Clone", exact: true }).click();
    await dialog.getByText(/is not an address of a repository/).waitFor();
    await address.fill(origin);
    await dialog.getByRole("button", { name: "Clone", exact: true }).click();
    await becomes(() => field.inputValue(), join(root, "here", "tools"));
    assert.ok(existsSync(join(root, "here", "tools", ".git")));
    assert.deepEqual(screen.problems, []);
  });
});
