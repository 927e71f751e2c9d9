/** A server that was killed leaves nothing that the next one does not remove. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tagged } from "@quire/jsonrpc/processes";
import { assertNoProcesses, eventually, tempDir } from "@quire/testkit";
import { ownStart, processStart } from "../../src/lib/process-start.ts";
import { serverTag, startOwned } from "../../src/run/process/process-table.ts";
import { sweepDead } from "../../src/store/sweep-dead.ts";
import { lockThread } from "../../src/store/writer-lock.ts";
import { testServer } from "../support/test-server.ts";

test("locks of the dead are removed when a server starts, those of the living stay", async () => {
  await using dir = await tempDir();
  const ended = spawn("true");
  await once(ended, "exit");
  const dead = `${crypto.randomUUID()}.${ended.pid}.1234abcd.1.1700000000000`;
  const reused = `${crypto.randomUUID()}.${process.pid}.1234abcd.1.1700000000000`;
  mkdirSync(join(dir.path, "locks"));
  for (const name of [dead, reused, "a-note"]) writeFileSync(join(dir.path, "locks", name), "");
  const held = lockThread(dir.path, "a-thread");
  await using server = await testServer({ home: dir.path });
  await server.client.request("thread/list", {});
  const names = () => readdirSync(join(dir.path, "locks"));
  await eventually(() => !names().includes(dead) && !names().includes(reused));
  assert.deepEqual(names().filter((name) => name.startsWith("a-")).length, 2);
  held.release();
});

test("processes that outlived their server are ended, those of a living one are not", {
  skip: process.platform !== "linux",
}, async () => {
  await using dir = await tempDir();
  const start = (tag: string) => {
    const env = { ...process.env, ...tagged(`${tag}thread/1`), QUIRE_TEST_MARK: tag };
    return spawn("sleep", ["1000"], { env, stdio: "ignore", detached: true });
  };
  const parent = spawn("true");
  await once(parent, "exit");
  const [dead, living] = [serverTag(parent.pid ?? 0, "1234abcd"), serverTag(process.pid, ownStart())];
  const [orphan, own] = [start(dead), start(living)];
  await eventually(() => processStart(own.pid ?? 0) !== undefined && processStart(orphan.pid ?? 0) !== undefined);
  mkdirSync(join(dir.path, "locks"));
  writeFileSync(join(dir.path, "locks", `processes.${parent.pid}.1234abcd.0.0`), "");
  const release = sweepDead(dir.path);
  await assertNoProcesses({ tag: `QUIRE_TEST_MARK=${dead}` });
  assert.notEqual(processStart(own.pid ?? 0), undefined);
  own.kill("SIGKILL");
  startOwned("test", { argv: ["true"], cwd: "/", env: { PATH: process.env.PATH ?? "" }, onOutput: () => undefined });
  assert.equal(readdirSync(join(dir.path, "locks")).length, 1, "the next server is to look");
  release();
  assert.deepEqual(readdirSync(join(dir.path, "locks")), []);
});

test("a process that was noted is ended by number and start, and never a stranger with its number", async () => {
  await using dir = await tempDir();
  const start = () => spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
  const [noted, stranger] = [start(), start()];
  await eventually(() => processStart(noted.pid ?? 0) !== undefined && processStart(stranger.pid ?? 0) !== undefined);
  mkdirSync(join(dir.path, "locks"));
  const note = (pid: number | undefined, started: string | undefined) =>
    writeFileSync(join(dir.path, "locks", `processes.${process.pid}.1234abcd.${pid}.${started}`), "");
  note(noted.pid, processStart(noted.pid ?? 0));
  note(stranger.pid, "1234abcd");
  sweepDead(dir.path)();
  await once(noted, "exit");
  assert.equal(noted.signalCode, "SIGKILL");
  assert.notEqual(processStart(stranger.pid ?? 0), undefined);
  stranger.kill("SIGKILL");
  assert.deepEqual(readdirSync(join(dir.path, "locks")), []);
});
