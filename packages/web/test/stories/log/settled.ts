import type { Page } from "playwright-core";

/**
 * Waits until nothing in the log moves: sizes are measured, and some frames look the same. What comes from elsewhere, such
 * as the colours of code or a move of the wheel, is to be waited for first.
 */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("log").evaluate(async (log) => {
    const state = (): string => `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll("*").length}`;
    let same = 0;
    for (let last = ""; same < 3; same = state() === last ? same + 1 : 0) {
      last = state();
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
}
