import { chromium } from "playwright-core";
export async function open(url: string, { width = 1440, height = 900, theme = "dark" as "dark"|"light", hash = "" } = {}) {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu","--disable-background-networking"] });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, bypassCSP: true }); const page = await context.newPage();
  page.on("console", (m) => { if (m.type() === "error" || m.type()==="warning") console.log("console:", m.text().slice(0,500)); });
  page.on("pageerror", (e) => console.log("pageerror:", e.message, e.stack?.slice(0,600)));
  page.on("requestfailed", (r) => console.log("failed:", r.url()));
  await page.goto(url + hash);
  return { browser, page };
}
