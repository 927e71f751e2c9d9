import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, ConnectionError, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import {
  type BytePairOptions,
  bytePair,
  cutting,
  delayed,
  gate,
  junky,
  killing,
  random,
  stalling,
} from "@quire/testkit";

function echoServer(transport: Transport): Connection {
  const server = new Connection(transport);
  server.handle("echo", (params) => params);
  return server;
}

/** Sends requests with awkward texts at once and checks that each answer is the right one. */
async function assertEchoes(client: Connection): Promise<void> {
  const texts = ["plain", "ünï © 👍👍", "line\u2028separator\u2029", 'quote " \\ \n newline', "x".repeat(3000)];
  const answers = await Promise.all(texts.map((text) => client.request("echo", { text })));
  assert.deepEqual(
    answers,
    texts.map((text) => ({ text })),
  );
}

async function withEcho(
  wrap: (client: Transport) => Transport,
  body: (client: Connection) => Promise<void>,
): Promise<void> {
  const [left, right] = memoryPair();
  await using _server = echoServer(right);
  await using client = new Connection(wrap(left));
  await body(client);
}

test("delays keep the order of messages, in both directions", async () => {
  await withEcho(
    (inner) => delayed(inner, { ms: [0, 3], random: random(1) }),
    async (client) => {
      const order: number[] = [];
      const calls = Array.from({ length: 20 }, (_, index) =>
        client.request("echo", index).then(() => order.push(index)),
      );
      await Promise.all(calls);
      assert.deepEqual(
        order,
        Array.from({ length: 20 }, (_, index) => index),
      );
    },
  );
});

test("junk between the messages is told as malformed and hurts nobody", async () => {
  const [left, right] = memoryPair();
  await using _server = echoServer(right);
  const malformed: string[] = [];
  const transport = junky(left, { random: random(2), probability: 1 });
  await using client = new Connection(transport, { onMalformed: (text) => malformed.push(text) });
  for (let round = 0; round < 10; round++) await assertEchoes(client);
  assert.ok(malformed.length > 0);
});

test("a stalled transport delivers nothing until it is released, then all of it in order", async () => {
  let stall: ReturnType<typeof stalling> | undefined;
  await withEcho(
    (inner) => {
      stall = stalling(inner, { after: 1 });
      return stall;
    },
    async (client) => {
      await client.request("echo", 0);
      assert.equal(stall?.passed, 1);
      const answers: unknown[] = [];
      const held = [1, 2, 3].map((value) => client.request("echo", value).then((answer) => answers.push(answer)));
      await assert.rejects(
        client.request("echo", 4, { timeoutMs: 20 }),
        (error) => ConnectionError.is(error) && error.code === "timeout",
      );
      assert.deepEqual(answers, []);
      stall?.release();
      await Promise.all(held);
      assert.deepEqual(answers, [1, 2, 3]);
    },
  );
});

test("a stall of what is sent holds the requests back", async () => {
  const [left, right] = memoryPair();
  const server = echoServer(right);
  const transport = stalling(left, { direction: "out" });
  await using client = new Connection(transport);
  transport.stall();
  const arrived = gate();
  server.on("hello", () => arrived.open());
  client.notify("hello", {});
  assert.ok(transport.buffered > 0);
  assert.equal(arrived.isOpen, false);
  transport.release();
  await arrived;
  assert.equal(transport.buffered, 0);
});

test("a cut after n messages fails the calls that wait and tells the other side", async () => {
  const [left, right] = memoryPair();
  const server = echoServer(right);
  const client = new Connection(cutting(left, { afterMessages: 2, direction: "in" }));
  await client.request("echo", 1);
  const outcomes = await Promise.allSettled([client.request("echo", 2), client.request("echo", 3)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
  assert.match(String((await client.closed)?.message), /Cut by a test after 2 messages/);
  await server.closed;
  assert.equal(client.open, false);
});

const echoChild = `
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\\n");
    rest = lines.pop();
    for (const line of lines) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, result: 1 }) + "\\n");
  });`;

test("a child killed after n messages ends the connection with its signal", { timeout: 60_000 }, async () => {
  const child = spawnTransport({ command: process.execPath, args: ["-e", echoChild] });
  assert.ok(child.pid);
  await using client = new Connection(killing(child, { pid: child.pid, afterMessages: 2, direction: "in" }));
  await client.request("a", {});
  await client.request("b", {});
  assert.equal((await client.closed)?.signal, "SIGKILL");
});

async function withBytes(options: BytePairOptions, body: (client: Connection) => Promise<void>): Promise<void> {
  const [left, right] = bytePair(options);
  await using _server = echoServer(right);
  await using client = new Connection(left);
  await body(client);
}

test("messages survive being split at every byte", async () => {
  await withBytes({ toClient: { split: "every-byte" }, toServer: { split: "every-byte" } }, assertEchoes);
});

test("messages survive random chunks and junk lines, valid UTF-8 or not", async () => {
  const source = random(3);
  const faults = { split: source, junk: source };
  await withBytes({ toClient: faults }, async (client) => {
    for (let round = 0; round < 10; round++) await assertEchoes(client);
  });
});

test("messages survive a cut at any one place of the stream", async () => {
  for (let position = 1; position < 60; position++) {
    await withBytes({ toClient: { split: [position] }, toServer: { split: [position] } }, async (client) => {
      assert.equal(await client.request("echo", "👍ü\u2028"), "👍ü\u2028");
    });
  }
});

test("a stream broken off in the middle of a message ends both sides", async () => {
  const [left, right] = bytePair({ toClient: { cutAfter: 40 } });
  const server = echoServer(right);
  const client = new Connection(left);
  await assert.rejects(client.request("echo", "x".repeat(100)), (error) => ConnectionError.is(error));
  await Promise.all([client.closed, server.closed]);
});
