/** Servers that a gateway starts end with it, all of them and whatever happens to it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { testGateway } from "../support/test-gateway.ts";

/** Starts a process in a session and an environment of its own, writes down both, and answers nothing. */
const serving = 'env -i setsid sh -c "echo \\$\\$ >> pids; sleep 300" & echo $$ >> pids; cat > /dev/null';

function pidsIn(folder: string): number[] {
  const path = join(folder, "pids");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map(Number) : [];
}

function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

describe("servers that a gateway starts", { skip: process.platform !== "linux" && "needs /proc" }, () => {
  test("end with it when it is killed, with what has left session and environment", async () => {
    await using place = await tempDir("quire-gateway-");
    const program = join(import.meta.dirname, "spawned-gateway.ts");
    const gateway = Bun.spawn([process.execPath, program, "sh", "-c", serving], { cwd: place.path });
    await eventually(() => pidsIn(place.path).length === 2, { what: "both processes", timeoutMs: 30_000 });
    gateway.kill("SIGKILL");
    await gateway.exited;
    await eventually(() => !pidsIn(place.path).some(runs), { what: "the end of both", timeoutMs: 30_000 });
  });

  test("are all there, and all end, when the same command serves two folders", async () => {
    await using one = await tempDir("quire-gateway-");
    await using other = await tempDir("quire-gateway-");
    const command = ["sh", "-c", serving] as const;
    const gateway = testGateway({ spawned: [one, other].map(({ path }) => ({ command, cwd: path })) });
    await eventually(() => [one, other].every(({ path }) => pidsIn(path).length >= 2), { timeoutMs: 30_000 });
    assert.equal(new Set(gateway.hubs.map(({ id }) => id)).size, 2);
    await gateway.close();
    await eventually(() => ![one, other].flatMap(({ path }) => pidsIn(path)).some(runs), { timeoutMs: 30_000 });
  });
});
