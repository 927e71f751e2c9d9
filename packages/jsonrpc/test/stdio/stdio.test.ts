import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { connectionError, deferred, turn, until } from "../support/async.ts";
import { fixture, isAlive, node, spawnPeer } from "../support/child.ts";
import { test } from "../support/test.ts";

interface Info {
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly pid: number;
}

describe("a spawned program", () => {
  test("gets its arguments, environment and folder exactly", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "quire jsonrpc ")));
    const env = { PATH: process.env.PATH, GREETING: "héllo\u2028 $HOME", EMPTY: "", ABSENT: undefined };
    const args = ["a b", "", '"quoted"', "$HOME", "*", "é"];
    const { peer, transport } = spawnPeer({ args, env, cwd: folder });
    const info = (await peer.request("info")) as Info;
    assert.deepEqual(info.args, args);
    assert.equal(info.cwd, folder);
    assert.equal(info.env.GREETING, env.GREETING);
    assert.equal(info.env.EMPTY, "");
    assert.equal("ABSENT" in info.env, false);
    assert.equal("HOME" in info.env, false);
    assert.equal(info.pid, transport.pid);
    await peer.close();
    rmSync(folder, { recursive: true });
  });

  test("inherits this process's environment by default", async () => {
    const { peer } = spawnPeer();
    assert.equal(((await peer.request("info")) as Info).env.PATH, process.env.PATH);
    await peer.close();
  });

  test("answers many calls at once, with text of every kind", async () => {
    await using peer = spawnPeer().peer;
    const texts = ["é€😀\u2028\u2029\uFEFF", "line\nbreak\r\n", "\u0000", "x".repeat(300_000)];
    const values = Array.from({ length: 200 }, (_, n) => ({ n, text: texts[n % texts.length] }));
    assert.deepEqual(await Promise.all(values.map((value) => peer.request("echo", value))), values);
  });

  test("can send a message of 64 MB", async () => {
    await using peer = spawnPeer().peer;
    const bytes = 64 * 1024 * 1024;
    assert.equal(((await peer.request("large", { bytes })) as string).length, bytes);
  });

  test("may print junk and blank lines between its messages: reported, skipped, nothing lost", async () => {
    const junk: string[] = [];
    await using peer = spawnPeer({}, { onMalformed: (text) => void junk.push(text) }).peer;
    const text = 'Welcome!\n\n\r\n{"half":\n\uFEFF{"method":"x"}\n{"method":"seen"}\r\n';
    const seen = deferred();
    peer.on("seen", () => seen.resolve());
    await peer.request("raw", { text });
    await seen.promise;
    assert.deepEqual(junk, ["Welcome!", '{"half":', '\uFEFF{"method":"x"}']);
    assert.equal(await peer.request("echo", 1), 1);
  });

  test("whose message is over the limit ends the connection with an error naming the limit, not the program", async () => {
    const { peer, transport } = spawnPeer({ maxMessageBytes: 1000 });
    const before: unknown[] = [];
    peer.on("before", (params) => void before.push(params));
    const text = `{"method":"before","params":1}\n{"method":"before","params":"${"x".repeat(2000)}"}\n`;
    const error = await connectionError(peer.request("raw", { text }));
    assert.equal(error.code, "invalid-message");
    assert.match(error.message, /1000 bytes.*maxMessageBytes/);
    assert.deepEqual(before, [1]);
    await peer.close();
    assert.equal((await peer.closed)?.code, "invalid-message");
    assert.notEqual(transport.pid, undefined);
  });

  test("that is started long before anybody listens loses none of its messages", async () => {
    const transport = spawnTransport({ command: node, args: [fixture("peer.mjs"), "--announce"] });
    transport.send('{"id":0,"method":"exit","params":{"code":0,"stdout":"{\\"method\\":\\"last\\"}\\n"}}');
    await until(() => !isAlive(transport.pid as number));
    // The runtime learns of it and throws away what nobody listens to.
    for (let turns = 0; turns < 50; turns++) await turn();
    const seen: string[] = [];
    const connection = new Connection(transport, { onNotification: ({ method }) => void seen.push(method) });
    assert.equal((await connection.closed)?.exitCode, 0);
    assert.deepEqual(seen, ["ready", "last"]);
  });
});

describe("a program that cannot be started", () => {
  test("gives an error that names it and what to do, for every call", async () => {
    const connection = new Connection(spawnTransport({ command: "no-such-program-anywhere" }));
    const error = await connectionError(connection.request("a"));
    assert.equal(error.code, "spawn-failed");
    assert.match(error.message, /no-such-program-anywhere was not found: install it, or give the path/);
    assert.equal((await connection.closed)?.code, "spawn-failed");
    assert.equal((await connectionError(connection.request("b"))).mayHaveRun, false);
    await connection.close();
  });

  test("also says so to a connection made later", async () => {
    const transport = spawnTransport({ command: "no-such-program-anywhere" });
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(transport.pid, undefined);
    const connection = new Connection(transport);
    assert.equal((await connectionError(connection.request("a"))).code, "spawn-failed");
  });

  test("in a folder that does not exist names the folder", async () => {
    const connection = new Connection(spawnTransport({ command: node, cwd: "/no/such/folder" }));
    const error = await connection.closed;
    assert.equal(error?.code, "spawn-failed");
    assert.match(error?.message ?? "", /\/no\/such\/folder does not exist/);
  });

  test("because it is not executable says so", async () => {
    const folder = mkdtempSync(join(tmpdir(), "quire-jsonrpc-"));
    const file = join(folder, "plain.txt");
    writeFileSync(file, "no program", { mode: 0o600 });
    const error = await new Connection(spawnTransport({ command: file })).closed;
    assert.equal(error?.code, "spawn-failed");
    assert.match(error?.message ?? "", /permissions/);
    rmSync(folder, { recursive: true });
  });

  test("because of its arguments fails like the others, not with a bare system error", async () => {
    const start = async () => {
      const connection = new Connection(spawnTransport({ command: node, args: ["x".repeat(3 * 1024 * 1024)] }));
      throw await connection.closed;
    };
    assert.equal((await connectionError(start())).code, "spawn-failed");
  });

  test("can be closed at once and twice", async () => {
    const connection = new Connection(spawnTransport({ command: "no-such-program-anywhere" }));
    await Promise.all([connection.close(), connection.close()]);
    await connection.close();
    assert.equal(connection.open, false);
  });
});
