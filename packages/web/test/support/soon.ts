import assert from "node:assert/strict";
import { eventually } from "@quire/testkit";
import type { Locator } from "playwright-core";

/** Far above what a busy machine needs; what is waited for longer does not come. */
const timeoutMs = 30_000;

/**
 * Waits until assertions hold. What a page shows follows what was done to it some time later, so it must not be read just
 * once. Where it never comes, the assertion that failed last is the cause of the error.
 */
export async function soon(assertions: () => Promise<void>): Promise<void> {
  const hold = async (): Promise<true> => {
    await assertions();
    return true;
  };
  await eventually(hold, { timeoutMs, what: "the assertions to hold" });
}

/** Waits until what is read is what is expected. */
export function becomes<T>(read: () => Promise<T>, expected: NoInfer<T>): Promise<void> {
  return soon(async () => assert.deepEqual(await read(), expected));
}

/** Waits until an element has the focus. */
export function focusComesTo(element: Locator): Promise<void> {
  return becomes(() => element.evaluate((each) => each === document.activeElement), true);
}
