/** The client's integration suite, written for the real Codex, on our own server: over pipes, sockets and in memory. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { root } from "../scripts/lib/workspace.ts";

const folder = join("packages", "client", "test", "integration");
/** These start their servers themselves, on the way that they are about. */
const onOneWayOnly = ["respawn.test.ts", "sockets.test.ts"];

for (const over of ["pipes", "websocket", "memory"]) {
  test(`the client's suite passes on our server over ${over}`, { timeout: 200_000 }, async () => {
    const files = readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".test.ts") && (over === "pipes" || !onOneWayOnly.includes(name)))
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
    assert.match(errors, /\d+ pass/);
  });
}
