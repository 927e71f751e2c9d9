import { open } from "./shot.tmp.ts";
const url = (await Bun.file("/tmp/w1/up.log").text()).match(/http:\S+/)![0];
for (const [name, opts] of Object.entries({ dark: { theme: "dark" as const }, light: { theme: "light" as const }, phone: { width: 390, height: 844, theme: "dark" as const }, phonelight: { width: 390, height: 844, theme: "light" as const } })) {
  const { browser, page } = await open(url, opts);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.waitForTimeout(400);
  await page.screenshot({ path: `/tmp/w1/new-${name}.png` });
  if (name.startsWith("phone")) { await page.getByRole("button", { name: "Show sidebar" }).click(); await page.waitForTimeout(300); await page.screenshot({ path: `/tmp/w1/side-${name}.png` }); }
  await page.getByRole("link", { name: /run: ls/ }).first().click();
  await page.waitForTimeout(900);
  await page.screenshot({ path: `/tmp/w1/thread-${name}.png` });
  if (name === "dark") {
    await page.getByRole("button", { name: "Show panel" }).click();
    await page.getByRole("button", { name: "Show terminal" }).click();
    await page.waitForTimeout(2000);
    await page.screenshot({ path: `/tmp/w1/beside-${name}.png` });
    await page.keyboard.press("Control+k"); 
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/w1/palette-${name}.png` });
    await page.keyboard.press("Escape");
  }
  await browser.close();
}
