import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { CodexClient } from "@quire/client";
import { mockResponses, reply } from "@quire/testkit";
import { listening } from "../support/listening.ts";
import { launcher, place, slow } from "../support/quire.ts";

describe("quire app-server", () => {
  test("serves a client over stdin and stdout with the flags of codex, before and behind the command", async () => {
    await using mock = await mockResponses();
    await using dir = await place(mock);
    mock.script(reply().text("hello"));
    const command = [
      launcher,
      "-c",
      "model=from-before",
      "app-server",
      "--analytics-default-enabled",
      "--disable",
      "plugins",
      "-c",
      'model="from-behind"',
      "--listen",
      "stdio://",
    ];
    await using codex = await CodexClient.spawn({ command, env: dir.env, cwd: dir.cwd });
    const thread = await codex.thread({});
    const { agentMessage } = await thread.run("hi");
    assert.equal(agentMessage, "hello");
    assert.equal(mock.requests[0]?.body.model, "from-behind");
  });

  test("prints where it listens, in codex's words, and nothing on stdout", async () => {
    await using dir = await place();
    await using server = await listening(dir, ["--listen", "ws://127.0.0.1:0"]);
    const port = /^ws:\/\/127\.0\.0\.1:(\d+)$/.exec(server.address)?.[1];
    assert.equal(
      server.stderr(),
      [
        "quire app-server (WebSockets)",
        `  listening on: ws://127.0.0.1:${port}`,
        `  readyz: http://127.0.0.1:${port}/readyz`,
        `  healthz: http://127.0.0.1:${port}/healthz`,
        "  note: binds localhost only (use SSH port-forwarding for remote access)",
        "",
      ].join("\n"),
    );
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    await using codex = await CodexClient.connect(server.address, { reconnect: false });
    assert.equal((await codex.thread({})).data?.cwd, dir.cwd);
    assert.equal(await server.stop(), 0);
    assert.equal(await server.stdout(), "");
  });

  test("serves a unix socket, and ends in good order at SIGTERM and SIGINT", async () => {
    await using dir = await place();
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await using server = await listening(dir, ["--listen", "unix://"]);
      assert.equal(server.address, `unix://${dir.home}/app-server-control/app-server-control.sock`);
      await using codex = await CodexClient.connect(server.address, { reconnect: false });
      assert.ok(codex.server);
      assert.equal(await server.stop(signal), 0);
    }
  });

  test("lets in over a WebSocket only who brings the token", async () => {
    await using dir = await place();
    const file = join(dir.home, "token");
    writeFileSync(file, "let-me-in\n");
    chmodSync(file, 0o644);
    await using server = await listening(dir, [
      "--listen",
      "ws://127.0.0.1:0",
      "--ws-auth",
      "capability-token",
      "--ws-token-file",
      file,
    ]);
    await assert.rejects(CodexClient.connect(server.address, { reconnect: false }));
    await using codex = await CodexClient.connect(server.address, { token: "let-me-in", reconnect: false });
    assert.ok(codex.server);
    assert.match(server.stderr(), /^warning: other users can read the secret in .*\. Run: chmod 600 /);
    const bring = ["models", "--server", server.address, "--token-file", file];
    assert.match((await dir.run(bring)).stderr, /^warning: other users/);
    chmodSync(file, 0o600);
    const { code, stderr } = await dir.run(bring);
    assert.deepEqual([code, stderr], [0, ""]);
    const refused = await dir.run(["models", "--server", server.address]);
    assert.match(refused.stderr, /It requires a token: pass its file with --token-file/);
  });

  test("refuses what codex refuses, in its words and with its exit codes", slow, async () => {
    await using dir = await place();
    const cases: readonly [readonly string[], number, RegExp][] = [
      [["--listen", "foo"], 2, /^error: invalid value .*unsupported --listen URL `foo`; expected `stdio:\/\/`/],
      [
        ["--listen", "ws://localhost:0"],
        2,
        /invalid websocket --listen URL `ws:\/\/localhost:0`; expected `ws:\/\/IP:PORT`/,
      ],
      [
        ["--listen", "ws://0.0.0.0:0"],
        1,
        /^Error: refusing to start non-loopback websocket listener 0\.0\.0\.0:0 without auth/,
      ],
      [["--listen", "off"], 1, /^Error: no transport configured; use --listen/],
      [
        ["--ws-auth", "x"],
        2,
        /invalid value 'x' for '--ws-auth <MODE>'\n {2}\[possible values: capability-token, signed-bearer-token\]/,
      ],
      [["--ws-auth", "capability-token"], 1, /^Error: `--ws-token-file` or `--ws-token-sha256` is required/],
      [["--ws-issuer", "x", "--listen", "ws://127.0.0.1:0"], 1, /^Error: websocket auth flags require/],
      [
        ["--sesion"],
        2,
        /unexpected argument '--sesion' found\n\n {2}tip: a similar argument exists: '--session-source'/,
      ],
      [["-c", "foo"], 2, /Invalid override \(missing '='\): foo/],
      [["extra"], 2, /unexpected argument 'extra' found/],
    ];
    await Promise.all(
      cases.map(async ([args, code, message]) => {
        const outcome = await dir.run(["app-server", ...args]);
        assert.match(outcome.stderr, message);
        assert.equal(outcome.code, code, args.join(" "));
        assert.equal(outcome.stdout, "");
      }),
    );
  });

  test("explains itself, and names the command that was meant", slow, async () => {
    await using dir = await place();
    const help = await dir.run(["app-server", "--help"]);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /Usage: quire app-server \[OPTIONS\]/);
    assert.match(help.stdout, /\n {2}daemon +Manage a background server/);
    assert.equal((await dir.run(["help", "app-server"])).stdout, help.stdout);
    const daemon = await dir.run(["app-server", "daemon"]);
    assert.equal(daemon.code, 2);
    assert.match(daemon.stderr, /quire app-server daemon start\|stop/);
    assert.match((await dir.run(["help", "app-server", "daemon"])).stdout, /^Manage an app-server/);
    assert.equal((await dir.run(["help", "app-sever"])).code, 2);
    const named = await dir.run(["app-server", "--session-source", "daemon", "--listen", "nowhere"]);
    assert.match(named.stderr, /unsupported --listen URL `nowhere`/, "an option's value is no command");
    const missing = await dir.run([]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /Commands:\n {2}up /);
    const unknown = await dir.run(["app-sever"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /unrecognized command 'app-sever'\n\n {2}tip: a similar command exists: 'app-server'/);
  });
});
