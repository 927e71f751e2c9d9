/** Attacks: a model on its server. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandExecutionThreadItem } from "@quire/protocol";
import { eventually, reply } from "@quire/testkit";
import { commitPatch } from "../../src/patch/commit-patch.ts";
import { parsePatch } from "../../src/patch/parse-patch.ts";
import { planPatch } from "../../src/patch/plan-patch.ts";
import { command, type TestServer, testServer, unattended } from "../support/test-server.ts";
import { processesNaming } from "./support/survivors.ts";
import { type World, world } from "./support/world.ts";

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly place: World;
}

/** @param env Further variables of the server. */
async function scene(env: Record<string, string> = {}): Promise<Scene> {
  const place = await world();
  const server = await testServer({ home: place.home, model: "scripted", env });
  return {
    server,
    place,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** What a command of a model does, in the sandbox or with full access. */
async function runs({ server, place }: Scene, script: string, confined: boolean): Promise<string> {
  // The home lies in the workspace: not even then.
  const cwd = place.base;
  const threadId = await server.client.thread({
    ...unattended,
    cwd,
    sandbox: confined ? "workspace-write" : "danger-full-access",
  });
  server.model.script(command(script), reply().text("done"));
  const turn = await server.client.turn(threadId);
  assert.equal(turn.status, "completed");
  const item = server.client.items.findLast((each) => each.type === "commandExecution") as CommandExecutionThreadItem;
  return item.aggregatedOutput ?? "";
}

test("finds the key of the model's provider in its environment", async () => {
  await using made = await scene({ MOCK_API_KEY: "the secret", HARMLESS: "visible" });
  const output = await runs(made, "env; cat /proc/*/environ | tr '\\0' '\\n'", true);
  assert.match(output, /HARMLESS=visible/);
  assert.doesNotMatch(output, /the secret/);
});

test("adds to the rollout of its own thread", async () => {
  await using made = await scene();
  const script = `find ${made.place.home}/sessions -name '*.jsonl' -exec sh -c 'echo "{}" >> "$1"; cp /dev/null "$1"' - {} ';'; find ${made.place.home} -name '*.jsonl' -size -1c | wc -l`;
  await runs(made, script, true);
  const files = rollouts(made.place.home);
  assert.equal(files.length, 1);
  for (const file of files) assert.match(readFileSync(file, "utf8"), /^\{.*turn_completed.*\}\n$/s);
  // The same with full access empties them.
  assert.doesNotMatch(await runs(made, script, false), /^0\n$/);
});

test("finds a descriptor of the server's that it can use", async () => {
  await using made = await scene();
  const output = await runs(
    made,
    "for fd in /proc/self/fd/*; do readlink $fd; done | grep -v -e pipe -e /dev/null -e /proc -e ^$; echo end",
    true,
  );
  assert.equal(output, "end\n");
});

test("kills the server", async () => {
  await using made = await scene();
  const output = await runs(made, `kill -KILL ${process.pid} 2>&1; echo alive`, true);
  assert.match(output, /No such process/);
});

/** Runs a command with children that do not end, one of them forked twice; gives the turn while it continues. */
async function endless({ server, place }: Scene, sandbox: string, more: object = {}) {
  const threadId = await server.client.thread({ ...unattended, cwd: place.workspace, sandbox });
  const script = `(setsid perl -e 'fork and exit; sleep 1000' ${place.base} &); perl -e 'sleep 1000' ${place.base}`;
  server.model.script(command(script, more), reply().text("it runs on"));
  const turn = server.client.turn(threadId);
  await eventually(() => processesNaming(place).length >= 2);
  return { threadId, turn };
}

for (const sandbox of ["workspace-write", "danger-full-access"]) {
  const how = `under ${sandbox}`;
  test(`outlives its turn, when that is interrupted, ${how}`, async () => {
    await using made = await scene();
    const { threadId, turn } = await endless(made, sandbox);
    await made.server.client.interrupt(threadId);
    assert.equal((await turn).status, "interrupted");
    assert.deepEqual(processesNaming(made.place), []);
  });

  test(`outlives its thread, ${how}`, async () => {
    await using made = await scene();
    const { threadId, turn } = await endless(made, sandbox, { yield_time_ms: 250 });
    assert.equal((await turn).status, "completed");
    assert.ok(processesNaming(made.place).length >= 2);
    await made.server.client.request("thread/archive", { threadId });
    assert.deepEqual(processesNaming(made.place), []);
  });

  test(`outlives the server, when that is closed, ${how}`, async () => {
    await using made = await scene();
    await endless(made, sandbox, { yield_time_ms: 250 });
    await made.server.close();
    assert.deepEqual(processesNaming(made.place), []);
  });
}

test("writes outside by a patch, through a link and by ..", async () => {
  await using made = await scene();
  const { server, place } = made;
  const threadId = await server.client.thread({ ...unattended, cwd: place.workspace });
  const patch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch\n`;
  server.model.script(
    command(`ln -s ${place.outside} link`),
    reply()
      .functionCall("apply_patch", { input: patch("link/new") })
      .functionCall("apply_patch", { input: patch("../outside/new") }),
    reply().functionCall("apply_patch", { input: patch("inside") }),
    reply().text("done"),
  );
  assert.equal((await server.client.turn(threadId)).status, "completed");
  assert.ok(!existsSync(join(place.outside, "new")));
  assert.ok(existsSync(join(place.workspace, "inside")));
});

test("swaps a folder for a link after a patch was checked and before it is written", async () => {
  await using place = await world();
  const folder = join(place.workspace, "folder");
  const patch = (name: string) => parsePatch(`*** Begin Patch\n*** Add File: folder/${name}\n+evil\n*** End Patch\n`);
  mkdirSync(folder);
  const [update, fresh] = [
    await planPatch(patch("file"), { cwd: place.workspace, home: place.home }),
    await planPatch(patch("deep/new"), { cwd: place.workspace, home: place.home }),
  ];
  rmSync(folder, { recursive: true });
  symlinkSync(place.outside, folder);
  for (const plan of [update, fresh]) await assert.rejects(commitPatch(plan));
  assert.deepEqual(readdirSync(place.outside), ["file"]);
  assert.equal(readFileSync(join(place.outside, "file"), "utf8"), "untouched\n");
});

function rollouts(home: string): string[] {
  const names = readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(home, "sessions", name));
}
