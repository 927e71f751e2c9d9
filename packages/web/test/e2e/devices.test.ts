import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../support/axe.ts";
import { becomes } from "../support/soon.ts";
import type { Screen } from "./support/screen.ts";
import { openStage, type Stage } from "./support/stage.ts";

let stage: Stage;
before(async () => {
  stage = await openStage();
});
afterEach(() => stage.closeTabs());
after(() => stage[Symbol.asyncDispose]());

async function openDevices(screen: Screen) {
  await screen.button("Settings").click();
  const dialog = screen.page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: "Devices", exact: true }).click();
  await dialog.getByText("This device", { exact: true }).waitFor();
  return dialog;
}

test("a phone is paired by a code, stays signed in when Quire is started anew, and is signed out from elsewhere", async () => {
  const screen = await stage.tab();
  const dialog = await openDevices(screen);
  await dialog.getByRole("button", { name: "Show code" }).click();
  const code = (await dialog.locator(".devices-code").textContent()) ?? "";
  await assertAccessible(screen.page, "the devices");

  const phone = await stage.stranger();
  await phone.getByText("Sign in to Quire").waitFor();
  await phone.getByRole("textbox").fill("AAAA-2222");
  await phone.getByRole("button", { name: "Sign in" }).click();
  await phone.getByText("That code or token is not valid.").waitFor();
  await phone.getByRole("textbox").fill(code.toLowerCase());
  await phone.getByRole("button", { name: "Sign in" }).click();
  await phone.getByRole("heading", { name: "What should we build?" }).waitFor();
  await dialog.getByText("A device was added.").waitFor();

  await stage.restartGateway();
  await phone.reload();
  await phone.getByRole("heading", { name: "What should we build?" }).waitFor();
  await screen.page.reload();
  await screen.message.waitFor();
  const again = await openDevices(screen);
  await becomes(() => again.locator(".devices-row").count(), 2);
  const other = again.locator(".devices-row").filter({ hasNotText: "This device" });
  await other.getByRole("button", { name: /^Sign out/ }).click();
  await other.getByRole("button", { name: "Sign out now" }).click();
  await phone.getByText("Sign in to Quire").waitFor();
  await becomes(() => again.locator(".devices-row").count(), 1);
  assert.deepEqual(screen.problems, []);
});

test("the page can be installed, with its icons and its worker", async () => {
  const screen = await stage.tab({ permissions: ["notifications"] });
  const { page } = screen;
  const manifest = (await page.evaluate(async () => {
    const href = document.querySelector<HTMLLinkElement>("link[rel=manifest]")?.href ?? "";
    return (await fetch(href)).json();
  })) as { icons: { src: string; sizes: string }[]; start_url: string; display: string };
  assert.equal(manifest.display, "standalone");
  const sizes = await page.evaluate(
    (icons) =>
      Promise.all(
        icons.map(async ({ src }) => {
          const image = await createImageBitmap(await (await fetch(src)).blob());
          return `${image.width}x${image.height}`;
        }),
      ),
    manifest.icons,
  );
  assert.deepEqual(
    sizes,
    manifest.icons.map((icon) => icon.sizes),
  );
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const cdp = await page.context().newCDPSession(page);
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  const errors = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
  assert.deepEqual(errors, []);
});
