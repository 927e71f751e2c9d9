import assert from "node:assert/strict";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { tempDir } from "@quire/testkit";
import { listen } from "../../src/listen/index.ts";
import { echoServer } from "./support/echo-server.ts";

describe("a server on a unix socket", () => {
  test("serves WebSockets to this user alone, and takes its file along", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "deep", "s.sock");
    const echo = echoServer();
    const banner: string[] = [];
    const listener = await listen(echo, { url: `unix://${path}`, announce: (text) => banner.push(text) });
    assert.equal(listener.address, `unix://${path}`);
    assert.match(banner.join(""), new RegExp(`listening on: unix://${path}`));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(dir.path, "deep")).mode & 0o777, 0o700);
    const peer = new Connection(await connectWebSocket(`unix://${path}`));
    assert.equal(await peer.request("echo", "hi"), "hi");
    assert.deepEqual(echo.kinds, ["unix"]);
    await peer.close();
    await listener.close();
    assert.equal(existsSync(path), false);
  });

  test("is at a place that clients know when none is named", async () => {
    await using dir = await tempDir();
    const listener = await listen(echoServer(), { url: "unix://", home: dir.path });
    assert.equal(listener.address, `unix://${dir.path}/app-server-control/app-server-control.sock`);
    await listener.close();
  });

  test("takes the place of a server that died, but not of one that lives", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "s.sock");
    const code = `Bun.serve({ unix: ${JSON.stringify(path)}, fetch: () => new Response() }); console.log("up"); setInterval(() => {}, 1000);`;
    const dead = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" });
    await dead.stdout.getReader().read();
    await assert.rejects(listen(echoServer(), { url: `unix://${path}` }), {
      message: `app-server control socket is already in use at ${path}; stop that server or choose another path`,
    });
    dead.kill("SIGKILL");
    await dead.exited;
    assert.equal(existsSync(path), true);
    const listener = await listen(echoServer(), { url: `unix://${path}` });
    await listener.close();
  });

  test("leaves files of another kind alone", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "notes");
    writeFileSync(path, "mine");
    await assert.rejects(listen(echoServer(), { url: `unix://${path}` }), /exists and is not a socket: .*notes/);
    assert.equal(existsSync(path), true);
  });

  test("refuses a path that no socket can have", async () => {
    await using dir = await tempDir();
    const long = join(dir.path, "x".repeat(120));
    mkdirSync(long);
    await assert.rejects(
      listen(echoServer(), { url: `unix://${long}/s.sock` }),
      /longer than 103 bytes.*choose a shorter one/s,
    );
    const file = join(dir.path, "notes");
    writeFileSync(file, "mine");
    await assert.rejects(listen(echoServer(), { url: `unix://${file}/below/s.sock` }), {
      name: "ListenError",
      message: /^no socket can be made at .*ENOTDIR.*; choose another path$/,
    });
  });
});

test("--listen off says that nobody can be served", async () => {
  await assert.rejects(listen(echoServer(), { url: "off" }), /no transport configured; use --listen/);
});
