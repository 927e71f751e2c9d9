import type { Page } from "playwright-core";
import { becomes } from "../support/soon.ts";

/** Waits for the list to hold these and no others: while a word is typed, it still has those for its first letters. */
export const offers = (page: Page, names: readonly string[]): Promise<void> =>
  becomes(() => page.locator(".composer-suggestion-label").allTextContents(), [...names]);
