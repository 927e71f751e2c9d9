import { chromiumPath } from "@quire/testkit";
import { type Browser, chromium } from "playwright-core";

/** Starts Chromium. Whoever started it closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    // A wheel that scrolls smoothly is still at it when nothing has seemed to move for some frames.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-smooth-scrolling"],
  });
}
