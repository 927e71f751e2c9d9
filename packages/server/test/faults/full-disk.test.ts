/** A disk that is full: nobody waits for ever, nothing is torn, and the thread continues when there is room again. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { codexConfigToml, eventually, mockResponses, reply, tempDir } from "@quire/testkit";
import { TestClient } from "../support/test-client.ts";

const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** A server none of whose files can grow beyond so many kilobytes, as if the disk were full: no mount is needed. */
async function serve(home: string, kilobytes: number | "unlimited"): Promise<TestClient> {
  const limited = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" app-server`;
  const transport = spawnTransport({
    command: "bash",
    args: ["-c", limited, quire],
    env: { PATH: process.env.PATH, HOME: home, QUIRE_HOME: home },
    cwd: home,
  });
  const client = new TestClient(transport);
  await client.initialize();
  return client;
}

async function say(talk: TestClient, threadId: string, text: string) {
  const { turn } = await talk.request("turn/start", { threadId, input: [{ type: "text", text }] });
  return (await talk.waitFor("turn/completed", (params) => params.turn.id === turn.id)).turn;
}

const full = { sandbox: "danger-full-access", approvalPolicy: "never" };

test("a turn that cannot be stored fails and says why, its end is told, and the thread goes on when there is room", async () => {
  await using home = await tempDir("quire-full-");
  let threadId: string;
  let kept: string[];
  {
    await using talk = await serve(home.path, 64);
    threadId = await talk.thread(full);
    const statuses: string[] = [];
    // What is said takes smaller and smaller pieces of the room, until nothing fits any more, not even an end.
    for (let size = 2048; size >= 1; size = Math.floor(size / 2))
      for (let again = 0; again < 8; again++) statuses.push((await say(talk, threadId, "x".repeat(size))).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], ["completed", "failed"]);
    const told = await talk.waitFor("error");
    assert.match(told.error.message, /cannot write .*check the folder's permissions and free space/);
    const { thread } = await talk.request("thread/read", { threadId, includeTurns: true });
    assert.ok(!thread.turns.some(({ status }: { status: string }) => status === "inProgress"));
    kept = thread.turns
      .filter((turn: { status: string }) => turn.status === "completed")
      .map(({ id }: { id: string }) => id);
    for (const line of readFileSync(thread.path, "utf8").trimEnd().split("\n")) JSON.parse(line);
  }
  await using talk = await serve(home.path, "unlimited");
  const { thread } = await talk.request("thread/resume", { threadId });
  const completed = thread.turns.filter((turn: { status: string }) => turn.status === "completed");
  assert.deepEqual(
    completed.map(({ id }: { id: string }) => id),
    kept,
  );
  assert.equal((await say(talk, threadId, "hello again")).status, "completed");
});

test("a thread that cannot be stored at all leaves no file that holds nothing", async () => {
  await using home = await tempDir("quire-full-");
  await using talk = await serve(home.path, 0);
  const threadId = await talk.thread(full);
  assert.equal((await say(talk, threadId, "hello")).status, "failed");
  assert.equal((await say(talk, threadId, "hello")).status, "failed");
  const { thread } = await talk.request("thread/read", { threadId });
  assert.equal(existsSync(thread.path), false);
});

test("a command that ends when its thread cannot be stored ends neither the server nor the thread", async () => {
  await using home = await tempDir("quire-full-");
  await using model = await mockResponses();
  writeFileSync(join(home.path, "config.toml"), codexConfigToml({ baseUrl: model.url }));
  const cmd = "until [ -e go ]; do sleep 0.02; done; head -c 30000 /dev/zero | tr '\\0' x; touch gone";
  model.script(reply().functionCall("exec_command", { cmd, login: false, yield_time_ms: 250 }));
  model.fallback(() => reply().text("ok"));
  await using talk = await serve(home.path, 24);
  const threadId = await talk.thread({ ...full, cwd: home.path });
  assert.equal((await say(talk, threadId, "begin")).status, "completed");
  writeFileSync(join(home.path, "go"), "");
  await eventually(() => existsSync(join(home.path, "gone")), { what: "the command's end" });
  await eventually(
    async () => (await talk.request("thread/backgroundTerminals/list", { threadId })).data.length === 0,
    {
      what: "the terminal's end",
    },
  );
  assert.equal((await say(talk, threadId, "go on")).status, "completed");
});
