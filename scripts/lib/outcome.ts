/** Result of a suite or check. */
export interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests that did not run. */
  readonly skipped: readonly string[];
  readonly seconds: number;
  /** Output that a developer needs when something failed. */
  readonly details: string;
}

/** Formats an outcome: `✓ jsonrpc on bun   83 passed   4.1 s`. */
function outcomeLine(outcome: Outcome): string {
  const { name, passed, failed, skipped, seconds } = outcome;
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ].join(", ");
  return `${failed > 0 ? "✗" : "✓"} ${name.padEnd(34)} ${counts.padEnd(24)} ${seconds.toFixed(1)} s`;
}

/** Shows an outcome as soon as it is known, with the details of what failed. */
export function showOutcome(outcome: Outcome): void {
  console.log(outcomeLine(outcome));
  if (outcome.failed > 0 && outcome.details.trim() !== "") {
    console.log(`${outcome.details.trimEnd().replace(/^/gm, "    ")}\n`);
  }
}
