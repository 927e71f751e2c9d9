import { installCodex } from "./install.ts";

/**
 * For the `skip` option of a test that needs a real Codex: `false` when the version is there or can be installed, else the reason.
 *
 * Never skips in silence: prints a warning to stderr. On CI (`CI=true`) it throws instead, since a suite that skips
 * there would look green without having run.
 *
 * ```ts
 * test("a turn on 0.98", { skip: await skipWithoutCodex("0.98.0") }, async () => { … });
 * ```
 */
export async function skipWithoutCodex(version: string): Promise<string | false> {
  try {
    await installCodex(version);
    return false;
  } catch (cause) {
    const reason = `Codex ${version} cannot be had: ${cause instanceof Error ? cause.message : cause}`;
    if (isCi()) throw new Error(`${reason}\nTests that need it must not be skipped on CI.`, { cause });
    process.stderr.write(`\n*** SKIPPED: ${reason}\n\n`);
    return reason;
  }
}

function isCi(): boolean {
  const value = process.env.CI;
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
