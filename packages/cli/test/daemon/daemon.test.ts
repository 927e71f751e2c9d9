import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CodexClient } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import { eventually, locateCodex, skipWithoutCodex } from "@quire/testkit";
import { listening } from "../support/listening.ts";
import { launcher, type Place, place, slow } from "../support/quire.ts";

const withoutCodex = await skipWithoutCodex(codexVersion);

const socketOf = ({ home }: Place): string => join(home, "app-server-control", "app-server-control.sock");
const pidFileOf = ({ home }: Place): string => join(home, "app-server-daemon", "daemon.pid");

/** Runs an action and gives what it printed. */
async function daemon(here: Place, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await here.run(["app-server", "daemon", ...args]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("quire app-server daemon", () => {
  it("serves after whoever started it has gone, until it is stopped", slow, async () => {
    await using here = await place();
    const started = await daemon(here, "start");
    try {
      assert.deepEqual([started.status, started.backend, started.socketPath], ["started", "pid", socketOf(here)]);
      await using client = await CodexClient.connect(`unix://${socketOf(here)}`, { reconnect: false });
      assert.equal((await client.request("thread/loaded/list", {})).data.length, 0);
      assert.equal((await daemon(here, "start")).status, "alreadyRunning");
      const version = await daemon(here, "version");
      assert.deepEqual([version.status, version.appServerVersion], ["running", version.cliVersion]);
    } finally {
      assert.equal((await daemon(here, "stop")).status, "stopped");
    }
    await eventually(() => !isAlive(started.pid as number), { timeoutMs: 30_000 });
    assert.ok(!existsSync(socketOf(here)) && !existsSync(pidFileOf(here)));
    assert.equal((await daemon(here, "stop")).status, "notRunning");
    const { code, stderr } = await here.run(["app-server", "daemon", "version"]);
    assert.equal(code, 1);
    assert.match(stderr, /daemon start/);
  });

  it("is another process after a restart, with the options of that", slow, async () => {
    await using here = await place();
    const before = await daemon(here, "start");
    const after = await daemon(here, "restart", "-c", 'model="from-restart"');
    try {
      assert.equal(after.status, "restarted");
      assert.notEqual(after.pid, before.pid);
      await using client = await CodexClient.connect(`unix://${socketOf(here)}`, { reconnect: false });
      assert.equal((await client.request("config/read", {})).config.model, "from-restart");
    } finally {
      await daemon(here, "stop");
    }
  });

  it("starts one server, also when it is asked three times at once", slow, async () => {
    await using here = await place();
    try {
      const all = await Promise.all([daemon(here, "start"), daemon(here, "start"), daemon(here, "start")]);
      assert.deepEqual(all.map(({ status }) => status).sort(), ["alreadyRunning", "alreadyRunning", "started"]);
    } finally {
      await daemon(here, "stop");
    }
  });

  it("ends no process that happens to have the id of an earlier daemon", slow, async () => {
    await using here = await place();
    const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
    try {
      mkdirSync(join(here.home, "app-server-daemon"));
      writeFileSync(pidFileOf(here), JSON.stringify({ pid: bystander.pid, processStartTime: "long ago" }));
      assert.equal((await daemon(here, "stop")).status, "notRunning");
      assert.ok(isAlive(bystander.pid as number));
    } finally {
      bystander.kill();
    }
  });

  it("leaves a server alone that somebody else has started", slow, async () => {
    await using here = await place();
    await using other = await listening(here, ["--listen", "unix://"]);
    const found = await daemon(here, "start");
    assert.deepEqual([found.status, found.backend], ["alreadyRunning", undefined]);
    const { code, stderr } = await here.run(["app-server", "daemon", "stop"]);
    assert.equal(code, 1);
    assert.match(stderr, /did not start/);
    assert.equal(other.exitCode, null);
  });

  it("says where the reason is when the server does not start", slow, async () => {
    await using here = await place();
    const home = join(here.home, "a-folder-whose-name-is-too-long-for-the-address-of-a-socket".repeat(2));
    mkdirSync(home);
    const child = Bun.spawn([launcher, "app-server", "daemon", "start"], {
      env: { ...here.env, QUIRE_HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stderr = await new Response(child.stderr).text();
    assert.equal(await child.exited, 1);
    assert.match(stderr, /daemon\.stderr\.log/);
    assert.match(readFileSync(join(home, "app-server-daemon", "daemon.stderr.log"), "utf8"), /longer than/);
  });

  it("prints the fields that Codex prints", { ...slow, skip: withoutCodex }, async () => {
    await using here = await place();
    const codex = Bun.spawn([locateCodex(codexVersion) as string, "app-server", "daemon", "stop"], {
      env: { ...here.env, CODEX_HOME: here.home },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const theirs = JSON.parse(await new Response(codex.stdout).text()) as Record<string, unknown>;
    const ours = await daemon(here, "stop");
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    assert.deepEqual([ours.status, ours.socketPath], [theirs.status, theirs.socketPath]);
  });
});

describe("quire app-server proxy", () => {
  it("passes bytes on to the socket and back", slow, async () => {
    await using here = await place();
    await daemon(here, "start");
    try {
      const proxy = Bun.spawn([launcher, "app-server", "proxy"], { env: here.env, stdio: ["pipe", "pipe", "inherit"] });
      void proxy.stdin.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      await proxy.stdin.flush();
      assert.match(await new Response(proxy.stdout).text(), /^HTTP\/1\.1 200/);
      assert.equal(await proxy.exited, 0);
    } finally {
      await daemon(here, "stop");
    }
  });

  it("says that there is no server, and how to start one", slow, async () => {
    await using here = await place();
    const { code, stderr } = await here.run(["app-server", "proxy", "--sock", join(here.home, "none.sock")], "");
    assert.equal(code, 1);
    assert.match(stderr, /none\.sock.*daemon start/s);
  });
});
