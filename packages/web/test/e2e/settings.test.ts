import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { assertAccessible } from "../support/axe.ts";
import { becomes, soon } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Screen } from "./support/screen.ts";
import type { Stage } from "./support/stage.ts";

/** Opens a section of the settings of the server that is tested. */
async function openSection(screen: Screen, name: string): Promise<Locator> {
  await screen.open();
  await screen.button("Settings").click();
  const dialog = screen.page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByRole("heading", { name, exact: true }).waitFor();
  return dialog;
}

/** A small MCP server over stdio with one tool. */
const mcpServer = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "t", version: "1" } } });
  else if (method === "tools/list") say({ id, result: { tools: [{ name: "count_words", description: process.env.TOOL_NOTE, inputSchema: { type: "object" } }] } });
  else if (id !== undefined) say({ id, result: {} });
});
`;

await onNewestServers((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("config.toml is edited as text; what the server cannot read is taken back", async () => {
    const screen = await stage.tab();
    const dialog = await openSection(screen, "config.toml");
    const text = dialog.getByRole("textbox", { name: "Text of config.toml" });
    await soon(async () => assert.match(await text.inputValue(), /model_provider/));
    const before = await text.inputValue();
    const path = ((await dialog.getByText(/config\.toml\. Checked/).textContent()) ?? "").replace(/\. Checked.*$/s, "");
    await assertAccessible(screen.page, "the text of a configuration");
    await text.fill(`${before}\nmodel = [`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/Not saved:/).waitFor();
    assert.equal(readFileSync(path, "utf8"), before);
    await text.fill(`# A remark of mine\n${before}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Saved.").waitFor();
    assert.equal(readFileSync(path, "utf8"), `# A remark of mine\n${before}`);
    writeFileSync(path, `# From elsewhere\n${before}`);
    await text.fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("The file changed meanwhile. Refresh, then edit again.").waitFor();
    assert.equal(readFileSync(path, "utf8"), `# From elsewhere\n${before}`);
    assert.deepEqual(screen.problems, []);
  });

  test("default permissions hold for the next thread", async () => {
    const screen = await stage.tab();
    const dialog = await openSection(screen, "Permissions");
    await dialog.getByLabel("Sandbox", { exact: true }).selectOption("read-only");
    await becomes(() => dialog.getByLabel("Sandbox", { exact: true }).inputValue(), "read-only");
    const approvals = stage.isOurs ? "untrusted" : "on-request";
    await dialog.getByLabel("Approvals", { exact: true }).selectOption(approvals);
    await becomes(() => dialog.getByLabel("Approvals", { exact: true }).inputValue(), approvals);
    await dialog.getByLabel("Who reviews approvals").selectOption("auto_review");
    await becomes(() => dialog.getByLabel("Who reviews approvals").inputValue(), "auto_review");
    await assertAccessible(screen.page, "the default permissions");
    await dialog.getByLabel("Who reviews approvals").selectOption("user");
    await becomes(() => dialog.getByLabel("Who reviews approvals").inputValue(), "user");
    await screen.page.keyboard.press("Escape");
    const asks = stage.isOurs ? "Ask always" : "Ask when needed";
    await screen.button(`Permissions: Read only, ${asks}`).waitFor();
  });

  test("an MCP server is added with its environment, shows its tools, is switched off and removed", async () => {
    const file = join(stage.cwd, "mcp server.cjs");
    writeFileSync(file, mcpServer);
    const screen = await stage.tab();
    const dialog = await openSection(screen, "MCP servers");
    await dialog.getByRole("button", { name: "Add MCP server" }).click();
    await dialog.getByLabel("Name").fill("word counter");
    await dialog.getByLabel("Command").last().fill(`"${process.execPath}" "${file}"`);
    await dialog.getByLabel("Environment").fill("TOOL_NOTE=Counts words");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("Use letters, digits, - and _.").last().waitFor();
    await dialog.getByLabel("Name").fill("words");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("1 tool").click();
    await dialog.getByText("Counts words").waitFor();
    await assertAccessible(screen.page, "the MCP servers");
    const enable = dialog.getByRole("switch", { name: "Enable words" });
    await enable.click();
    await becomes(() => enable.isChecked(), false);
    await dialog.getByRole("button", { name: "Remove words" }).click();
    await dialog.getByRole("button", { name: "Remove words?" }).click();
    await dialog.getByText("No MCP servers yet.").waitFor();
    assert.deepEqual(screen.problems, []);
  });

  test("a skill is switched off and on", async () => {
    const folder = join(stage.cwd, ".agents", "skills", "greet");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "---\nname: greet\ndescription: Says hello\n---\nSay hello.\n");
    const screen = await stage.tab();
    const dialog = await openSection(screen, "Skills");
    const skill = dialog.getByRole("switch", { name: "Enable greet" });
    await skill.click();
    await becomes(() => skill.isChecked(), false);
    await skill.click();
    await becomes(() => skill.isChecked(), true);
  });

  test("a hook shows what it runs, and is trusted by a click", async () => {
    const dialogOf = async (screen: Screen) => openSection(screen, "Hooks");
    const first = await stage.tab();
    const config = await openSection(first, "config.toml");
    const path = ((await config.getByText(/config\.toml\. Checked/).textContent()) ?? "").replace(/\. Checked.*$/s, "");
    const hooks = { hooks: { Stop: [{ hooks: [{ type: "command", command: "echo done >> hook.log" }] }] } };
    writeFileSync(join(path, "..", "hooks.json"), JSON.stringify(hooks));
    const screen = await stage.tab();
    const dialog = await dialogOf(screen);
    await dialog.getByText("echo done >> hook.log").waitFor();
    await dialog.getByText("Not trusted").waitFor();
    await assertAccessible(screen.page, "the hooks");
    await dialog.getByRole("button", { name: /^Trust echo/ }).click();
    await dialog.getByText("Trusted", { exact: true }).waitFor();
  });

  test("a file of rules is made, written and removed", async () => {
    const screen = await stage.tab();
    const dialog = await openSection(screen, "Rules");
    await dialog.getByLabel("File name").fill("mine.rules");
    await dialog.getByRole("button", { name: "New file" }).click();
    const text = dialog.getByRole("textbox", { name: "mine.rules" });
    await text.fill('prefix_rule(pattern=["true"], decision="allow")\n');
    await dialog.getByRole("button", { name: "Save mine.rules" }).click();
    await dialog.getByText("Saved.").waitFor();
    await dialog.getByRole("button", { name: "Remove mine.rules" }).click();
    await dialog.getByRole("button", { name: "Remove mine.rules?" }).click();
    await text.waitFor({ state: "detached" });
  });
});
