import { open } from "./shot.tmp.ts";
const url = (await Bun.file("/tmp/w1/up.log").text()).match(/http:\S+/)![0];
const { browser, page } = await open(url);
const box = page.getByRole("textbox", { name: "Message" });
await box.waitFor(); await page.waitForTimeout(6000);
await page.screenshot({ path: "/tmp/w1/r0.png" });
const select = page.getByLabel("Server", { exact: true });
const options = await select.locator("option").allTextContents(); console.log(options);
let i = 0;
for (const name of options.filter((o) => o !== "embedded")) {
  await page.getByRole("button", { name: "New thread", exact: true }).click();
  await page.waitForTimeout(300);
  await select.selectOption({ label: name });
  await page.waitForTimeout(300);
  if (name.includes("4500")) { await page.getByRole("button", { name: /Approvals|Ask|Never/ }).first().click(); await page.waitForTimeout(300); await page.screenshot({ path: "/tmp/w1/menu.png" }); await page.getByRole("menuitemradio", { name: /always/i }).first().click().catch((e) => console.log("no always")); }
  const say = async (t: string) => { await box.fill(t); await page.getByRole("button", { name: "Send" }).click(); };
  await say("hello there");
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/w1/r${++i}a.png` });
  await say("run it");
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/w1/r${i}b.png` });
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  console.log(name, "approve buttons", await approve.count());
  if (await approve.count()) await approve.first().click();
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/w1/r${i}c.png` });
  await page.reload(); await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/w1/r${i}d.png` });
}
await browser.close();
