/** A model that does what no model should: the server stays small and answers, the turn says what happened, the next one works. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandExecutionThreadItem, Turn } from "@quire/protocol";
import { eventually, gate, type RecordedRequest, type Reply, reply, type TempDir, tempDir } from "@quire/testkit";
import { command, type TestServer, testServer, unattended } from "../support/test-server.ts";
import { PeakMemory } from "./peak-memory.ts";

/** For a gigabyte, or hundreds of processes, on a machine with much else to do. */
const timeout = 240_000;

interface Scene extends AsyncDisposable {
  readonly server: TestServer;
  readonly cwd: string;
  readonly threadId: string;
  /** The next turn, which is a good one, does what it should. */
  nextTurnWorks(): Promise<void>;
}

async function scene(): Promise<Scene> {
  const folder: TempDir = await tempDir("quire-misbehaving-");
  const cwd = folder.path;
  const server = await testServer({ home: join(cwd, "home"), model: "scripted" });
  const threadId = await server.client.thread({ ...unattended, cwd });
  return {
    server,
    cwd,
    threadId,
    nextTurnWorks: async () => {
      server.model.script(command("echo fine"), reply().text("done"));
      assert.equal((await server.client.turn(threadId)).status, "completed");
      assert.equal(commands(server).at(-1)?.aggregatedOutput, "fine\n");
      assert.equal(server.model.remaining, 0);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const commands = ({ client }: TestServer) =>
  client.items.filter((item) => item.type === "commandExecution") as CommandExecutionThreadItem[];

/** What the model was told of its calls, in its last request. */
function answers({ model }: TestServer): string[] {
  return model.last.body.input
    .filter(({ type }) => type === "function_call_output")
    .map(({ output }) => String(output));
}

/** A model that waits for its command as long as that runs: a busy machine may take longer than one call can wait. */
function waitsOn({ body }: RecordedRequest): Reply {
  const { output } = body.input.findLast(({ type }) => type === "function_call_output") ?? {};
  const [, session] = /running with session ID (\d+)/.exec(String(output)) ?? [];
  if (session === undefined) return reply().text("done");
  return reply().functionCall("write_stdin", { session_id: Number(session), yield_time_ms: 30_000 });
}

/** Every item of the turn is completed, as clients find it later. */
async function nothingOpen({ server, threadId }: Scene): Promise<void> {
  const { thread } = (await server.client.request("thread/read", { threadId, includeTurns: true })) as {
    thread: { turns: Turn[] };
  };
  const open = thread.turns
    .flatMap(({ items }) => items)
    .filter((item) => "status" in item && item.status === "inProgress");
  assert.deepEqual(open, []);
}

test("a command that prints a gigabyte", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  using memory = new PeakMemory();
  server.model.script(
    command(`perl -e '$some = qq(so much to say\\n) x 4370; print $some for 1 .. 15258'`, { yield_time_ms: 30_000 }),
  );
  server.model.fallback(waitsOn);
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  const [item] = commands(server);
  assert.equal(item?.exitCode, 0);
  assert.match(item?.aggregatedOutput ?? "", /^so much to say\n[\s\S]*\d+ bytes omitted[\s\S]*so much to say\n/);
  assert.ok((item?.aggregatedOutput?.length ?? 0) < 2 ** 21);
  const told = answers(server);
  assert.ok(told.length > 0 && told.every(({ length }) => length < 100_000));
  memory.atMost(200);
  await made.nextTurnWorks();
});

test("10,000 calls in one response", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  using memory = new PeakMemory();
  const many = reply();
  for (let n = 0; n < 10_000; n++) many.functionCall("exec_command", { cmd: "true", login: false });
  server.model.script(many, reply().text("done"));
  const turn = await server.client.turn(made.threadId);
  // All were answered, so the limit of the turn is reached.
  assert.equal(turn.status, "failed");
  assert.match(turn.error?.message ?? "", /called tools 10000 times in this turn.*start another turn/);
  assert.equal(commands(server).length, 256);
  assert.ok(commands(server).every(({ status }) => status === "completed"));
  memory.atMost(250);
  await nothingOpen(made);
  server.model.script(reply().text("again"));
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  const told = answers(server);
  assert.equal(told.length, 10_000);
  assert.equal(told.filter((each) => /only 256 calls of one response are/.test(each)).length, 10_000 - 256);
});

test("10,000 calls over many responses", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  using memory = new PeakMemory();
  const many = reply();
  for (let n = 0; n < 200; n++) many.functionCall("no_such_tool", { n }, { callId: `call_${n}` });
  server.model.fallback(many);
  const turn = await server.client.turn(made.threadId);
  assert.equal(turn.status, "failed");
  assert.match(turn.error?.message ?? "", /called tools 10000 times/);
  assert.equal(server.model.requests.length, 50);
  memory.atMost(300);
  server.model.fallback(reply().text("ok"));
  await made.nextTurnWorks();
});

test("a fork bomb", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  // Each lives for a while, so that what is counted is there. It ends by itself, should nothing else end it.
  const bomb = `perl -e 'for (1 .. 3000) { if (!fork) { setpgrp; sleep 20; exit } } sleep 20'`;
  server.model.script(command(bomb, { yield_time_ms: 30_000 }), reply().text("done"));
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  const [item] = commands(server);
  assert.equal(item?.status, "failed");
  assert.match(item?.aggregatedOutput ?? "", /ended: the command had more than 1024 processes/);
  assert.match(answers(server)[0] ?? "", /more than 1024 processes/);
  await made.nextTurnWorks();
});

test("arguments of 10 MB", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  using memory = new PeakMemory();
  server.model.script(command(`echo ${"x".repeat(10_000_000)}`), reply().text("done"));
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  assert.match(answers(server)[0] ?? "", /the command is too long, 10000005 bytes.*write it to a file/);
  memory.atMost(1000);
  await nothingOpen(made);
  await made.nextTurnWorks();
});

test("arguments that are no JSON, of 10 MB", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  server.model.script(reply().functionCall("exec_command", `{"cmd":${"[".repeat(10_000_000)}`), reply().text("done"));
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  assert.ok((answers(server)[0]?.length ?? 0) < 10_000);
  await made.nextTurnWorks();
});

test("output that is no UTF-8", { timeout }, async () => {
  await using made = await scene();
  const { server } = made;
  server.model.script(
    command("printf 'a\\377\\376b\\303\\n\\360\\237\\230\\200\\xed\\xa0\\x80'; head -c 100000 /dev/urandom"),
    reply().text("done"),
  );
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  const output = commands(server)[0]?.aggregatedOutput ?? "";
  assert.ok(output.startsWith("a\ufffd\ufffdb\ufffd\n😀"), JSON.stringify(output.slice(0, 20)));
  assert.equal(new TextDecoder().decode(new TextEncoder().encode(output)), output);
  await nothingOpen(made);
  await made.nextTurnWorks();
});

test("two calls with the same id, in one response and in the next", { timeout }, async () => {
  await using made = await scene();
  const { server, cwd } = made;
  const twice = (n: number) =>
    reply()
      .functionCall("exec_command", { cmd: `echo first >> log${n}`, login: false }, { callId: "same" })
      .functionCall("exec_command", { cmd: `echo second >> log${n}`, login: false }, { callId: "same" });
  server.model.script(twice(1), twice(2), reply().text("done"));
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  for (const n of [1, 2]) assert.equal(await Bun.file(join(cwd, `log${n}`)).text(), "first\n");
  assert.deepEqual(
    commands(server).map(({ id }) => id),
    ["same", "same-2"],
  );
  assert.equal(
    answers(server).filter((each) => /an earlier call of this response has the same id/.test(each)).length,
    2,
  );
  await nothingOpen(made);
  await made.nextTurnWorks();
});

test("calls while the turn is interrupted", { timeout }, async () => {
  await using made = await scene();
  const { server, cwd, threadId } = made;
  const open = gate();
  // The first is running at the interrupt; those after it wait; the last comes when it is too late.
  const late = command("touch begun; sleep 1000");
  for (let n = 0; n < 40; n++) late.functionCall("exec_command", { cmd: "sleep 1000", login: false });
  late.functionCall("exec_command", { cmd: "touch evil", login: false });
  server.model.script(late);
  const ended = server.client.turn(threadId);
  await eventually(() => existsSync(join(cwd, "begun")), { timeoutMs: 60_000 });
  await server.client.interrupt(threadId);
  assert.equal((await ended).status, "interrupted");
  // None of those before it may have ended by itself, or its turn would have come.
  const ends = commands(server).map(({ status, exitCode, aggregatedOutput }) => [status, exitCode, aggregatedOutput]);
  assert.ok(!existsSync(join(cwd, "evil")), JSON.stringify(ends));

  server.model.script(
    reply().text("one moment").gate(open).functionCall("exec_command", { cmd: "touch evil", login: false }),
  );
  const second = server.client.turn(threadId);
  await server.model.waitForRequest(1, { timeoutMs: 60_000 });
  await server.client.interrupt(threadId);
  // An interrupt is answered before it takes effect; what the model says until then may still be heard.
  assert.equal((await second).status, "interrupted");
  open.open();
  await nothingOpen(made);
  await made.nextTurnWorks();
  assert.ok(!existsSync(join(cwd, "evil")));
});

test("files that the server reads, as pipes and larger than its memory", { timeout }, async () => {
  await using made = await scene();
  const { server, cwd } = made;
  using memory = new PeakMemory();
  const script =
    "truncate -s 1G AGENTS.md image.png; mkdir .codex; truncate -s 1G .codex/config.toml; mkdir work; mkfifo work/commondir; echo gitdir: work > .git";
  server.model.script(
    command(script),
    reply().functionCall("view_image", { path: "image.png" }).functionCall("view_image", { path: "work/commondir" }),
    reply().text("done"),
  );
  assert.equal((await server.client.turn(made.threadId)).status, "completed");
  assert.deepEqual(
    answers(server)
      .slice(1)
      .map((each) => /larger than|is not a file/.test(each)),
    [true, true],
  );
  await made.nextTurnWorks();
  // A new thread there reads the configuration of the project; it may refuse to start, but must say so.
  const started = await server.client.thread({ ...unattended, cwd }).then(
    () => "larger than",
    (error: Error) => error.message,
  );
  assert.match(started, /larger than/);
  memory.atMost(300);
});
