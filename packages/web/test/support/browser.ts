import process from "node:process";
import { type Browser, chromium } from "playwright-core";

/** For tests that each look at one page: starting a process for every page would take longer than to show it. */
const oneRenderer = ["--renderer-process-limit=1", "--disable-site-isolation-trials"];

/**
 * Starts Chromium. Whoever started it closes it.
 *
 * @param pages Whether tests look at one page each, or have several that must not hold each other up.
 */
export function launchBrowser(pages: "single" | "several"): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      ...(pages === "single" ? oneRenderer : []),
    ],
  });
}
