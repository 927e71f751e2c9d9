import { open } from "./shot.tmp.ts";
const url = (await Bun.file("/tmp/w1/up.log").text()).match(/http:\S+/)![0];
const { browser, page } = await open(url);
const box = page.getByRole("textbox", { name: "Message" });
const say = async (text: string, wait = 1200) => { await box.fill(text); await page.getByRole("button", { name: "Send" }).click(); await page.waitForTimeout(wait); };
await box.waitFor();
await say("run: ls -la; git status");
await page.screenshot({ path: "/tmp/w1/a1.png" });
const approve = page.getByRole("button", { name: "Approve", exact: true });
if (await approve.count()) { await approve.first().click(); await page.waitForTimeout(1000); }
await say("plan: read; change; test");
await say("write: notes.txt\nhello\nworld");
await page.screenshot({ path: "/tmp/w1/a2.png" });
if (await approve.count()) { await approve.first().click(); await page.waitForTimeout(1000); }
await say("agent: run: ls", 2500);
await page.screenshot({ path: "/tmp/w1/a3.png" });
if (await approve.count()) { await approve.first().click(); await page.waitForTimeout(1500); }
await page.screenshot({ path: "/tmp/w1/a4.png" });
await say("ask: Which one? this | that", 1200);
await page.screenshot({ path: "/tmp/w1/a5.png" });
console.log(await page.title(), page.url());
await browser.close();
