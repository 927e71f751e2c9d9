import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { eventually, reply } from "@quire/testkit";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import { onNewestServers } from "./support/each-server.ts";
import type { Stage } from "./support/stage.ts";

await onNewestServers((open) => {
  let stage: Stage;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage.closeTabs());
  after(() => stage[Symbol.asyncDispose]());

  test("terminals outlive a reload with what they showed, and the address of a dev server opens beside the thread", async () => {
    const cookies: string[] = [];
    const server = createServer((request, response) => {
      cookies.push(request.headers.cookie ?? "");
      response.end("<title>Dev</title><h1>The dev server</h1>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      stage.model("Open two shells.", reply().text("Go on."));
      const screen = await stage.tab();
      const { page } = screen;
      await screen.begin("Open two shells.");
      await screen.ended();
      await screen.button("Show terminal").click();
      const input = page.getByRole("textbox", { name: "Terminal input" });
      await input.waitFor();
      await input.pressSequentially(`N=kept; echo at http://127.0.0.1:${port}/x.\n`);
      const rows = page.locator(".xterm-rows");
      await rows.getByText(`at http://127.0.0.1:${port}/x.`, { exact: true }).waitFor();
      await screen.button("New terminal").click();
      await screen.button("Terminal 2").waitFor();
      await becomes(() => screen.button("Terminal 2").getAttribute("aria-current"), "true");
      await input.pressSequentially("touch second.txt\n");
      await eventually(() => existsSync(join(stage.cwd, "second.txt")), { what: "the second shell" });
      await assertAccessible(page, "two terminals");

      await page.reload();
      await screen.button("Terminal 1").click();
      const line = rows.getByText(`at http://127.0.0.1:${port}/x.`, { exact: true });
      await line.waitFor();
      await input.pressSequentially("echo $N > first.txt\n");
      await eventually(() => existsSync(join(stage.cwd, "first.txt")), { what: "the first shell" });

      const { x, y, height } = (await line.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      // Well within the address; the pointer has to be there before the link is one.
      await page.mouse.move(x + 60, y + height / 2);
      await page.mouse.move(x + 62, y + height / 2);
      await page.locator(".xterm-cursor-pointer").waitFor();
      await page.mouse.click(x + 62, y + height / 2);
      const preview = page.frameLocator(`iframe[src="http://localhost:${port}/x"]`);
      await preview.getByRole("heading", { name: "The dev server" }).waitFor();
      assert.deepEqual([...new Set(cookies)], [""], "the page's cookie stays with the page");
      await assertAccessible(page, "a preview");

      await screen.button("End terminal").click();
      await screen.button("Terminal 2").waitFor({ state: "detached" });
      await input.pressSequentially("exit 3\n");
      await page.getByText("The shell has ended with code 3.").waitFor();
      assert.deepEqual(screen.problems, []);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
