import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../scripts/lib/workspace.ts";

/** Transports to our server: as a child process, by socket, or in the same process. */
export const ways = ["pipes", "websocket", "memory"] as const;

/** Runs test files that were written for the real Codex against our own server. Fails with what they said. */
export async function passesOnServer(
  folder: string,
  over: (typeof ways)[number],
  without: readonly string[] = [],
): Promise<void> {
  const files = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".test.ts") && !without.includes(name))
    .map((name) => `./${join(folder, name)}`);
  const child = Bun.spawn([process.execPath, "test", "--timeout=60000", ...files], {
    cwd: root,
    env: {
      ...process.env,
      QUIRE_CODEX_COMMAND: join(root, "packages", "cli", "bin", "quire"),
      ...(over === "pipes" ? {} : { QUIRE_SUITE_OVER: over }),
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  assert.equal(code, 0, `${output}\n${errors}`.slice(-8000));
  assert.match(errors, /\b[1-9]\d* pass/);
}
