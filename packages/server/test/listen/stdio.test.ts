import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { tempDir } from "@quire/testkit";

const program = fileURLToPath(import.meta.resolve("./support/stdio-server.ts"));

function connected() {
  const transport = spawnTransport({ command: process.execPath, args: [program] });
  return { transport, peer: new Connection(transport) };
}

/** Feeds a server by hand and collects what it says until it ends. */
async function feed(input: string) {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => errors.push(chunk));
  child.stdin.end(input);
  const [code] = await once(child, "close");
  const lines = Buffer.concat(output).toString().trimEnd().split("\n");
  return { code, texts: lines, lines: lines.map((line) => JSON.parse(line)), stderr: Buffer.concat(errors).toString() };
}

describe("a server on stdin and stdout", () => {
  test("answers every one of 3,000 requests that arrive at once, whatever is in them", async () => {
    await using peer = connected().peer;
    const texts = ["é€😀\u2028\u2029", "line\nbreak", "x".repeat(20_000), ""];
    const values = Array.from({ length: 3000 }, (_, n) => ({ n, text: texts[n % texts.length] }));
    assert.deepEqual(await Promise.all(values.map((value) => peer.request("echo", value))), values);
  });

  test("delivers 20,000 notifications in order, before the reply that followed them", async () => {
    const { peer } = connected();
    const seen: number[] = [];
    peer.on("tick", (params) => void seen.push((params as { index: number }).index));
    await peer.request("notifyMany", { count: 20_000, size: 100 });
    assert.deepEqual(
      seen,
      Array.from({ length: 20_000 }, (_, index) => index),
    );
    await peer.close();
  });

  test("answers a message of many megabytes", async () => {
    await using peer = connected().peer;
    const text = "y".repeat(20 * 1024 * 1024);
    assert.equal(((await peer.request("echo", { text })) as { text: string }).text.length, text.length);
  });

  test("what is sent as bytes stands where it was sent, whole", async () => {
    const { peer } = connected();
    const seen: unknown[] = [];
    peer.on("tick", (params) => void seen.push((params as { index: number }).index));
    const sizes = [10, 3_000_000, 5];
    const replies = await Promise.all(
      sizes.map(async (size) => {
        const text = (await peer.request("large", { size })) as string;
        seen.push(size);
        return text === "é".repeat(size);
      }),
    );
    await peer.request("echo", {});
    assert.deepEqual(replies, [true, true, true]);
    assert.deepEqual(
      seen.filter((each) => each !== 0 && each !== 1),
      sizes,
    );
    assert.equal(seen.length, 9);
    await peer.close();
  });

  test("still answers what was asked before stdin ended, and then leaves with code 0", async () => {
    const { code, lines, stderr } = await feed(
      '{"id":1,"method":"slow","params":{"ms":100}}\n{"id":2,"method":"echo","params":"last"}',
    );
    assert.equal(code, 0);
    assert.equal(stderr, "");
    assert.deepEqual(lines, [
      { id: 2, result: "last" },
      { id: 1, result: "done" },
    ]);
  });

  test("answers a line that is no JSON and goes on", async () => {
    const { lines } = await feed('no json\n{"id":1,"method":"echo","params":1}\n');
    assert.equal(lines[0].error.code, -32700);
    assert.deepEqual(lines[1], { id: 1, result: 1 });
  });

  test("a reply carries the id of a client that counts in nanoseconds or 64 bits, to the last digit", async () => {
    const ids = ["1763424710123456789", "-9223372036854775808", "9007199254740993"];
    const calls = ids.flatMap((id) => [
      `{"id":${id},"method":"echo","params":{"id":1,"":{"id":2}}}\n`,
      `{"params":{"ms":1,"id":9007199254740995},"method":"slow","id":${id}}\n`,
      `{"method":"unknown","id":${id}}\n`,
    ]);
    const { texts } = await feed(calls.join(""));
    const answered = texts.map((text) => /^\{"id":(-?\d+),/.exec(text)?.[1]);
    assert.deepEqual(answered.sort(), [...ids, ...ids, ...ids].sort());
  });

  test("leaves quietly when nobody reads its output any more", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
    const errors: Buffer[] = [];
    child.stderr.on("data", (chunk) => errors.push(chunk));
    child.stdin.on("error", () => undefined);
    child.stdin.write('{"id":1,"method":"echo","params":1}\n');
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stdin.write('{"id":2,"method":"notifyMany","params":{"count":1000,"size":1000}}\n');
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    assert.equal(Buffer.concat(errors).toString(), "");
  });

  test("has room again for who waits for it, also where all is taken at once, as by a file", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "output");
    const output = openSync(path, "w");
    const child = spawn(process.execPath, [program], { stdio: ["pipe", output, "ignore"] });
    closeSync(output);
    // Each fills the room that there is.
    child.stdin?.end('{"id":1,"method":"notifyMany","params":{"count":4,"size":2000000,"patiently":true}}\n');
    await once(child, "exit");
    assert.match(readFileSync(path, "utf8"), /\{"id":1,"result":\{"count":4\}\}\n$/);
  });

  test("cuts off a reader that stops reading instead of keeping all for it", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => undefined);
    // 200 MB, of which 4 MB may wait; nobody reads. The process stands for its memory: it ends at the bound.
    child.stdin.write('{"id":1,"method":"notifyMany","params":{"count":200000,"size":1000}}\n');
    child.stdin.write(`${'{"id":2,"method":"echo","params":2}\n'.repeat(1000)}`);
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    child.stdout.destroy();
  });

  test("waits for a reader that is only slow: nothing is lost", async () => {
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write('{"id":1,"method":"notifyMany","params":{"count":3000,"size":1000}}\n');
    let text = "";
    let chunks = 0;
    for await (const chunk of child.stdout) {
      text += chunk;
      if (++chunks % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (text.endsWith('{"id":1,"result":{"count":3000}}\n')) break;
    }
    const ticks = text.trimEnd().split("\n").slice(0, -1);
    assert.deepEqual(
      ticks.map((line) => JSON.parse(line).params.index),
      Array.from({ length: 3000 }, (_, index) => index),
    );
    child.stdin.end();
    await once(child, "exit");
  });
});
