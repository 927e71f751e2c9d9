import { open } from "./shot.tmp.ts";
import { spawnSync } from "node:child_process";
const url = (await Bun.file("/tmp/w1/up.log").text()).match(/http:\S+/)![0];
const { browser, page } = await open(url);
const nav = page.getByRole("navigation", { name: "Threads" });
await nav.getByRole("link", { name: /run: ls/ }).first().click();
await page.waitForTimeout(800);
// rename
await page.getByRole("button", { name: "Thread actions" }).click();
await page.getByRole("menuitem", { name: "Rename" }).click();
await page.getByLabel("Thread name").fill("My renamed thread");
await page.keyboard.press("Enter");
await nav.getByRole("link", { name: /My renamed thread/ }).waitFor();
// fork
await page.getByRole("button", { name: "Thread actions" }).click();
await page.getByRole("menuitem", { name: "Fork" }).click();
await page.waitForTimeout(1200);
console.log("forked", page.url());
await page.screenshot({ path: "/tmp/w1/f1.png" });
// archive fork
await page.getByRole("button", { name: "Thread actions" }).click();
await page.getByRole("menuitem", { name: "Archive" }).click();
await page.waitForTimeout(700);
await page.getByRole("button", { name: "Archived threads" }).click();
await page.waitForTimeout(700);
await page.screenshot({ path: "/tmp/w1/f2.png" });
await nav.getByRole("link").nth(1).click().catch(() => 0);
await page.waitForTimeout(1000);
await page.screenshot({ path: "/tmp/w1/f3.png" });
await page.getByRole("button", { name: "Archived threads" }).first().click();
await page.getByLabel("Search threads").fill("spawn_agent");
await page.waitForTimeout(1000);
await page.screenshot({ path: "/tmp/w1/f4.png" });
await page.getByLabel("Search threads").fill("renamed");
await page.waitForTimeout(1000);
console.log("hits", await nav.getByRole("link").allTextContents());
await page.getByLabel("Search threads").fill("");
// gateway restart
await nav.getByRole("link", { name: /My renamed thread/ }).first().click();
await page.waitForTimeout(500);
process.kill(Number(await Bun.file("/tmp/w1/up.pid").text()));
await page.waitForTimeout(2500);
await page.screenshot({ path: "/tmp/w1/f5.png" });
spawnSync("/tmp/w1/restart.sh");
await page.waitForTimeout(5000);
await page.screenshot({ path: "/tmp/w1/f6.png" });
await browser.close();
