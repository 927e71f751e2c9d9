import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, listen } from "@quire/testkit";
import { openPage } from "../support/page.ts";
import { launcher, type Place, place, slow } from "../support/quire.ts";

/** What `quire up --json` prints. */
interface Facts {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
}

interface Running extends AsyncDisposable {
  readonly pid: number;
  /** The first line on stdout that is not empty. */
  readonly firstLine: string;
  readonly facts: Facts;
  /** Presses Ctrl-C. Gives the exit code. */
  stop(): Promise<number>;
}

/** Starts `quire up` and waits until it has said where it is. */
async function start(dir: Place, args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const child = Bun.spawn([launcher, "up", ...args], {
    cwd: dir.cwd,
    env: { ...dir.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  const reading = (async () => {
    for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk);
  })();
  const firstLine = await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(`quire up ended: ${said}`);
      // A line is whole when it has ended: output comes in pieces.
      return /^(.*\S.*)\n/m.exec(said)?.[1];
    },
    { timeoutMs: 30_000 },
  );
  const stop = async () => {
    child.kill("SIGINT");
    const code = await child.exited;
    await reading;
    return code;
  };
  return {
    pid: child.pid,
    firstLine,
    get facts() {
      return JSON.parse(firstLine) as Facts;
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

const quiet = ["--no-open", "--no-discovery", "--json", "--port", "0"];

describe("quire up", () => {
  test("serves the page and a server of its own: a turn with a command, no key, no network", async () => {
    await using dir = await place();
    const free = ["-c", "approval_policy=never", "-c", "sandbox_mode=danger-full-access"];
    const running = await start(dir, [...quiet, ...free], { QUIRE_UP_TEST: dir.home });
    const { origin, url, token } = running.facts;
    assert.equal(url, `${origin}/#token=${token}`);
    const page = await openPage(running.facts);
    const hub = await page.hub();
    assert.equal(hub.kind, "embedded");
    const { thread, approvalPolicy } = await page.call(hub.id, "thread/start", { cwd: dir.cwd });
    assert.equal(approvalPolicy, "never");
    const input = [{ type: "text", text: "run: echo made > made.txt", text_elements: [] }];
    await page.call(hub.id, "turn/start", { threadId: thread.id, input });
    const { turn } = await page.hears("turn/completed");
    assert.equal(turn.status, "completed");
    assert.equal(await Bun.file(join(dir.cwd, "made.txt")).text(), "made\n");
    assert.equal(await running.stop(), 0);
    await assertNoProcesses({ tag: `QUIRE_UP_TEST=${dir.home}` });
    await assert.rejects(fetch(origin));
    await page.closed;
  });

  test("prints one address for people, with the token it was given", async () => {
    await using dir = await place();
    await using running = await start(dir, ["--no-open", "--no-discovery", "--port", "0"], {
      QUIRE_TOKEN: "a token of one's own",
    });
    assert.match(
      running.firstLine,
      /^ {2}Quire is at {2}http:\/\/127\.0\.0\.1:\d+\/#token=a%20token%20of%20one's%20own$/,
    );
    const address = running.firstLine.split(" ").at(-1) ?? "";
    const { origin, port } = new URL(address);
    const page = await openPage({ origin, port: Number(port), url: address, token: "a token of one's own" });
    const hub = await page.hub();
    // What an agent runs does not learn it.
    const command = ["sh", "-c", 'echo "[$QUIRE_TOKEN]"'];
    const { stdout } = await page.call(hub.id, "command/exec", {
      command,
      cwd: dir.cwd,
      sandboxPolicy: { type: "dangerFullAccess" },
    });
    assert.equal(stdout, "[]\n");
  });

  test("starts other servers beside its own, and takes them along when it ends", async () => {
    await using dir = await place();
    await using other = await place();
    await using listening = await listen({ ...other, command: launcher, args: ["app-server"] });
    const codex = `--codex=${launcher} app-server`;
    const running = await start(dir, [...quiet, codex, "--hub", listening.url], { QUIRE_UP_TEST: dir.home });
    const page = await openPage(running.facts);
    await page.ready(3);
    assert.deepEqual(page.hubs.map(({ kind }) => kind).sort(), ["address", "embedded", "spawned"]);
    assert.equal(await running.stop(), 0);
    await assertNoProcesses({ tag: `QUIRE_UP_TEST=${dir.home}` });
  });

  test("opens the browser where there is a screen, with a ticket that is good once", async () => {
    await using dir = await place();
    const bin = join(dir.home, "bin");
    mkdirSync(bin);
    const opener = join(bin, "xdg-open");
    writeFileSync(
      opener,
      `#!/bin/sh\nenv > '${dir.home}/env'\nprintf '%s' "$1" > '${dir.home}/opened.tmp'\nmv '${dir.home}/opened.tmp' '${dir.home}/opened'\n`,
    );
    chmodSync(opener, 0o755);
    const screen = { DISPLAY: ":0", PATH: `${bin}:${dir.env.PATH}`, OPENAI_API_KEY: "sk-not-for-browsers" };
    await using running = await start(dir, ["--json", "--no-discovery", "--port", "0"], screen);
    const opened = new URL(await eventually(() => Bun.file(join(dir.home, "opened")).text(), { timeoutMs: 30_000 }));
    const { origin, token } = running.facts;
    assert.equal(opened.origin, origin);
    const given = await Bun.file(join(dir.home, "env")).text();
    assert.match(given, /^DISPLAY=:0$/m);
    assert.doesNotMatch(given, /sk-not-for-browsers/);
    const ticket = opened.hash.slice("#token=".length);
    assert.notEqual(ticket, token);
    const signIn = () =>
      fetch(`${origin}/api/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: ticket }),
      });
    assert.equal((await signIn()).status, 204);
    assert.equal((await signIn()).status, 401);
  });

  test(
    "says what to do about a port that is taken, an address that others reach, and a wrong server",
    slow,
    async () => {
      await using dir = await place();
      const taken = createServer().listen(0, "127.0.0.1");
      await once(taken, "listening");
      const { port } = taken.address() as { port: number };
      const refused = async (args: readonly string[]) => {
        const { code, stdout, stderr } = await dir.run(["up", "--no-open", "--no-discovery", ...args]);
        assert.equal(stdout, "");
        return `${code} ${stderr}`;
      };
      assert.match(
        await refused(["--port", String(port)]),
        /^1 Error: Cannot listen on .*: the port is in use\. Choose another --port/,
      );
      assert.match(
        await refused(["--host", "0.0.0.0"]),
        /^1 Error: 0\.0\.0\.0 can be reached by other machines.*--token/,
      );
      assert.match(
        await refused(["--port", "0", "--hub", "http://x"]),
        /^2 error: invalid value for '--hub <ADDRESS>': An address is ws:/,
      );
      assert.match(await refused(["--port", "0", "--codex="]), /^2 error: --codex needs a command/);
      assert.match(await refused(["--port", "0", "--orchestrator", "x"]), /^2 error: .*'x' for '--orchestrator <URL>'/);
      assert.match(await refused(["--port", "70000"]), /^2 error: invalid value '70000' .* from 0 to 65535/);
      assert.match(await refused(["--port", "high"]), /^2 error: invalid value 'high' for '--port <PORT>'/);
      taken.close();
    },
  );
});
