import { open } from "./shot.tmp.ts";
const url = (await Bun.file("/tmp/w1/up.log").text()).match(/http:\S+/)![0];
const { browser, page } = await open(url);
const box = page.getByRole("textbox", { name: "Message" });
await box.waitFor();
await page.getByLabel("Server", { exact: true }).waitFor({ timeout: 15000 });
await page.waitForTimeout(6000);
for (const port of ["4500", "4501"]) {
await page.getByRole("button", { name: "New thread", exact: true }).click();
await page.getByLabel("Server", { exact: true }).selectOption({ label: `127.0.0.1:${port}` });
await page.waitForTimeout(300);
await box.fill("hello before"); await page.keyboard.press("Enter");
await page.getByText("Hello world.").first().waitFor();
await page.waitForTimeout(500);
const pid = Number((await Bun.file("/tmp/w1/codex.log").text()).match(new RegExp(`pid ${port} (\\d+)`, "g"))!.at(-1)!.split(" ").at(-1));
process.kill(pid, "SIGKILL");
await page.waitForTimeout(1500);
await page.screenshot({ path: `/tmp/w1/k${port}-1.png` });
await page.waitForTimeout(12000);
await page.screenshot({ path: `/tmp/w1/k${port}-2.png` });
await box.fill("run it"); await page.keyboard.press("Enter");
await page.waitForTimeout(3000);
await page.screenshot({ path: `/tmp/w1/k${port}-3.png` });
}
await browser.close();
