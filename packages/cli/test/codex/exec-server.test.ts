/** `exec-server`, as programs start it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { eventually } from "@quire/testkit";
import { type Place, place, slow } from "../support/quire.ts";

/** A started exec-server, and the address that it prints. */
async function started({ codex, cwd, env }: Place, args: readonly string[] = [], stdin: "ignore" | "pipe" = "ignore") {
  const child = Bun.spawn([codex, "exec-server", ...args], { cwd, env, stdin, stdout: "pipe", stderr: "inherit" });
  let said = "";
  for await (const part of child.stdout) {
    said += Buffer.from(part).toString();
    if (said.includes("\n")) break;
  }
  return {
    child,
    url: said.trim(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** A client that has a command running, and the command's number. */
async function running(url: string) {
  const connection = new Connection(await connectWebSocket(url));
  let said = "";
  connection.on("process/output", (params) => {
    said += Buffer.from((params as { chunk: string }).chunk, "base64").toString();
  });
  await connection.request("initialize", { clientName: "test" });
  connection.notify("initialized", {});
  const env = { PATH: process.env.PATH };
  const argv = ["sh", "-c", "sleep 1000 & echo $!; wait"];
  await connection.request("process/start", { processId: "a", argv, cwd: "file:///", env, tty: false });
  await eventually(() => said !== "");
  return { pid: Number(said), [Symbol.asyncDispose]: () => connection.close() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const [signal, code] of [
  ["SIGTERM", 0],
  ["SIGKILL", 137],
] as const) {
  test(`no command outlives an exec-server that ends by ${signal}`, {
    ...slow,
    skip: process.platform !== "linux",
  }, async () => {
    await using here = await place();
    await using server = await started(here);
    assert.match(server.url, /^ws:\/\/127\.0\.0\.1:\d+$/);
    await using command = await running(server.url);
    assert.ok(isAlive(command.pid));
    server.child.kill(signal);
    assert.equal(await server.child.exited, code);
    await eventually(() => !isAlive(command.pid));
  });
}

test("an exec-server ends with the program that started it, if asked to", slow, async () => {
  await using here = await place();
  await using server = await started(here, ["--exit-on-stdin-close"], "pipe");
  await server.child.stdin?.end();
  assert.equal(await server.child.exited, 0);
});

test("an exec-server serves the program that starts it over stdin and stdout", slow, async () => {
  await using here = await place();
  const hello = { id: 1, method: "initialize", params: { clientName: "test" } };
  const { code, stdout } = await here.runCodex(["exec-server", "--listen", "stdio"], `${JSON.stringify(hello)}\n`);
  assert.equal(code, 0);
  assert.match(stdout, /^\{"id":1,"result":\{"sessionId":/);
});

test("an exec-server that would serve everybody, or otherwise than asked, is not started", slow, async () => {
  await using here = await place();
  for (const [args, code, expected] of [
    [["--listen", "ws://0.0.0.0:0"], 1, /without auth.*--ws-auth/s],
    [["--listen", "unix:///tmp/x"], 1, /expected `ws:\/\/IP:PORT` or `stdio`/],
    [["--ws-token-sha256", "0".repeat(64)], 1, /require `--ws-auth capability-token`/],
    [["--concurrent-requests", "0"], 2, /--concurrent-requests/],
    [["--remote", "https://example.com", "--environment-id", "x"], 2, /--remote: Not supported.*environment\/add/s],
    [["--linux-sandbox-pid-namespace", "inherit"], 2, /is not supported/],
    [["forward"], 2, /`forward` is not supported/],
  ] as const) {
    const outcome = await here.runCodex(["exec-server", ...args]);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""], args.join(" "));
    assert.match(outcome.stderr.replace(/\s+/g, " "), expected);
  }
  assert.match((await here.runCodex(["exec-server", "--help"])).stdout, /^Run commands and serve files here/);
});
