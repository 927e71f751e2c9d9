import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { keptImages } from "../support/kept-images.ts";
import { becomes } from "../support/soon.ts";
import { callsOf, openStories, type Stories } from "../support/stories.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
afterEach(() => stories.closePages());
after(() => stories.close());

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = (name: string) => ({ name, mimeType: "image/png", buffer: pixel });
const chooser = (page: Page) => page.locator("input[type=file]");
const shown = (page: Page) => page.getByRole("list", { name: "Attached images" }).getByRole("img");

test("an attached image is shown, goes with the message, and can be removed", async () => {
  const page = await stories.open("composer");
  await chooser(page).setInputFiles([picture("a.png"), picture("b.png")]);
  await shown(page).nth(1).waitFor();
  await page.getByRole("button", { name: "Remove a.png" }).click();
  await page.getByAltText("a.png").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Message" }).fill("what is this?");
  await page.getByRole("button", { name: "Send" }).click();
  const input = [
    { type: "text", text: "what is this?", text_elements: [] },
    { type: "image", url: `data:image/png;base64,${pixel.toString("base64")}` },
  ];
  await becomes(() => callsOf(page, "send"), [[input, {}]]);
});

for (const way of ["paste", "drop"] as const) {
  test(`an image comes by ${way}`, async () => {
    const page = await stories.open("composer");
    await page.getByRole("textbox", { name: "Message" }).evaluate(
      (element, { kind, base64 }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "shot.png", { type: "image/png" }));
        const init = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { ...init, clipboardData: transfer })
            : new DragEvent("drop", { ...init, dataTransfer: transfer }),
        );
      },
      { kind: way, base64: pixel.toString("base64") },
    );
    await page.getByAltText("shot.png").waitFor();
    assert.equal(await shown(page).count(), 1);
  });
}

test("what is no image, too large or too much is left out, and the reason is told", async () => {
  const page = await stories.open("composer");
  await page.getByRole("textbox", { name: "Message" }).evaluate((element) => {
    const transfer = new DataTransfer();
    const add = (name: string, type: string, size: number) =>
      transfer.items.add(new File([new Uint8Array(size)], name, { type }));
    add("notes.txt", "text/plain", 1);
    add("huge.png", "image/png", 5 * 1024 * 1024 + 1);
    for (let index = 0; index < 9; index++) add(`${index}.png`, "image/png", 10);
    element.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: transfer }));
  });
  await page.getByText("notes.txt is not a supported image").waitFor();
  await page.getByText("huge.png is larger than 5 MB").waitFor();
  await page.getByText("8.png was not attached: a message can have at most 8 images").waitFor();
  await becomes(() => shown(page).count(), 8);
});

test("a model without eyes takes no images", async () => {
  const page = await stories.open("composer");
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("menuitemradio", { name: /Text only/ }).click();
  await becomes(() => page.getByRole("button", { name: "This model does not accept images" }).isDisabled(), true);
});

test("attached images survive a reload with the text, and are gone once they are sent", async () => {
  const page = await stories.open("composer");
  await chooser(page).setInputFiles([picture("a.png"), picture("b.png")]);
  await shown(page).nth(1).waitFor();
  await page.getByRole("button", { name: "Remove a.png" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("what is this?");
  await becomes(() => keptImages(page), ["b.png"]);
  await page.reload();
  await page.getByAltText("b.png").waitFor();
  assert.equal(await shown(page).count(), 1);
  assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "what is this?");
  await page.getByRole("button", { name: "Send" }).click();
  const sent = async () => (await callsOf(page, "send")).map(([input]) => (input as readonly unknown[]).length);
  await becomes(sent, [2]);
  await shown(page).waitFor({ state: "detached" });
  // The browser lets them go some time after the message went.
  await becomes(() => keptImages(page), []);
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  assert.deepEqual(await keptImages(page), []);
  assert.equal(await shown(page).count(), 0);
});

test("the images of twenty drafts are kept; the oldest make room", async () => {
  const page = await stories.open("drafts");
  for (let index = 0; index < 22; index++) {
    await page.getByRole("spinbutton", { name: "Draft" }).fill(String(index));
    await chooser(page).setInputFiles([picture(`${index}.png`)]);
    await page.getByAltText(`${index}.png`).waitFor();
  }
  const newest = Array.from({ length: 20 }, (_, index) => `${index + 2}.png`).sort();
  await becomes(async () => (await keptImages(page)).toSorted(), newest);
});
