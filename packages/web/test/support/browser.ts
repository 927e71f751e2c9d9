import process from "node:process";
import { type Browser, chromium } from "playwright-core";

/** Starts Chromium. Whoever started it closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
