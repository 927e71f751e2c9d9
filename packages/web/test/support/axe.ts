import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Fails where axe-core finds something serious on the page as it is once nothing fades any more. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.waitForFunction(isStill);
  // By the debugger's way in: the page itself forbids scripts from elsewhere.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = (await page.evaluate(
    `axe.run({ resultTypes: ["violations"] }).then((result) => result.violations)`,
  )) as Violation[];
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const lines = serious.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)}\n  ${node.failureSummary}`),
  );
  assert.deepEqual(lines, [], `${what} has serious accessibility problems`);
}

/** Runs in the page. Colours on their way to others are not judged; what turns for ever is not waited for. */
function isStill(): boolean {
  return document
    .getAnimations()
    .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity);
}
