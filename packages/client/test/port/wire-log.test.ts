import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import { mockResponses, realCodex, scriptedServer, skipWithoutCodex, tempDir } from "@quire/testkit";

interface Line {
  readonly at: string;
  readonly direction: "in" | "out";
  readonly text: string;
}

async function linesOf(file: string): Promise<Line[]> {
  const text = await readFile(file, "utf8");
  assert.ok(text.endsWith("\n"));
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const methodsOf = (lines: readonly Line[], direction: Line["direction"]) =>
  lines
    .filter((line) => line.direction === direction)
    .map(({ text }) => (JSON.parse(text) as { method?: string }).method)
    .filter((method) => method !== undefined);

test("a wire log holds every message in both directions, readable by its owner alone", async () => {
  await using dir = await tempDir();
  const wireLog = join(dir.path, "wire.jsonl");
  await using server = scriptedServer();
  await using client = new CodexClient({ transport: server.transport, wireLog });
  await client.connect();
  server.turn({ text: "Grüße\u2028 aus Köln" });
  await (await client.thread()).run("Go");
  const lines = await linesOf(wireLog);
  assert.deepEqual(methodsOf(lines, "out"), ["initialize", "initialized", "thread/start", "turn/start"]);
  const incoming = methodsOf(lines, "in");
  assert.equal(incoming.at(-1), "turn/completed");
  assert.ok(incoming.includes("item/agentMessage/delta"));
  assert.ok(lines.some(({ text }) => text.includes("Grüße\u2028 aus Köln")));
  assert.ok(lines.every(({ at }) => !Number.isNaN(Date.parse(at))));
  assert.equal((await stat(wireLog)).mode & 0o777, 0o600);
});

test("a wire log is appended to, by clients one after the other", async () => {
  await using dir = await tempDir();
  const wireLog = join(dir.path, "wire.jsonl");
  await writeFile(wireLog, "");
  for (let round = 0; round < 2; round++) {
    await using server = scriptedServer();
    await using client = new CodexClient({ transport: server.transport, wireLog });
    await client.connect();
  }
  assert.deepEqual(
    methodsOf(await linesOf(wireLog), "out").filter((method) => method === "initialize"),
    ["initialize", "initialize"],
  );
});

test("a wire log that cannot be written fails the connection, with the path in the error", async () => {
  await using dir = await tempDir();
  const wireLog = join(dir.path, "missing", "wire.jsonl");
  await using server = scriptedServer();
  await using client = new CodexClient({ transport: server.transport, wireLog });
  await assert.rejects(client.connect(), (error) => String(error).includes(wireLog));
});

const version = codexVersion;
test("a wire log of a real Codex", { skip: await skipWithoutCodex(version) }, async () => {
  await using dir = await tempDir();
  const wireLog = join(dir.path, "wire.jsonl");
  await using mock = await mockResponses();
  await using codex = await realCodex(version, { model: mock });
  const command = [codex.command, ...codex.args];
  await using client = await CodexClient.spawn({ command, env: codex.env, cwd: codex.cwd, wireLog });
  assert.equal((await (await client.thread()).run("Go")).agentMessage, "ok");
  const lines = await linesOf(wireLog);
  assert.deepEqual(methodsOf(lines, "out"), ["initialize", "initialized", "thread/start", "turn/start"]);
  assert.ok(methodsOf(lines, "in").includes("turn/completed"));
  assert.equal((await stat(wireLog)).mode & 0o777, 0o600);
});
