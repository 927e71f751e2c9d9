import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { CodexClient } from "@quire/client";
import { eventually, gate, mockResponses, reply } from "@quire/testkit";
import { listening } from "../support/listening.ts";
import { launcher, place, slow } from "../support/quire.ts";

describe("a signal to a server while a turn runs", () => {
  test(
    "does not cut the turn short on a socket: it ends, its client hears it, and then the server leaves",
    slow,
    async () => {
      const hold = gate();
      await using mock = await mockResponses();
      mock.script(reply().text(["first half, ", hold, "second half"]));
      await using dir = await place(mock);
      await using server = await listening(dir, ["--listen", "ws://127.0.0.1:0"]);
      const { turn, begun } = await runningTurn(await CodexClient.connect(server.address, { reconnect: false }));
      await begun;
      const stopped = server.stop("SIGTERM");
      await eventually(() => /waiting for a turn to finish; press Ctrl-C again to interrupt/.test(server.stderr()));
      await using other = await CodexClient.connect(server.address, { reconnect: false });
      assert.ok(other.server, "it still serves");
      hold.open();
      assert.equal((await turn).agentMessage, "first half, second half");
      assert.equal(await stopped, 0);
    },
  );

  test("interrupts it when it is the second one, and the client hears that too", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text(["first half, ", gate(), "second half"]));
    await using dir = await place(mock);
    await using server = await listening(dir, ["--listen", "unix://"]);
    const { turn, begun } = await runningTurn(await CodexClient.connect(server.address, { reconnect: false }));
    await begun;
    const stopped = server.stop("SIGINT");
    await eventually(() => /waiting for a turn/.test(server.stderr()));
    assert.equal(await server.stop("SIGINT"), 0);
    assert.equal(await stopped, 0);
    assert.equal((await turn).status, "interrupted");
  });

  test("interrupts it at once on stdin and stdout, and the client hears it", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text(["first half, ", gate(), "second half"]));
    await using dir = await place(mock);
    const { env, cwd } = dir;
    const pidFile = join(dir.home, "pid");
    const command = ["sh", "-c", 'echo $$ > "$0"; exec "$1" app-server', pidFile, launcher];
    await using codex = await CodexClient.spawn({ command, env, cwd, reconnect: false });
    const { turn, begun } = await runningTurn(codex);
    await begun;
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGTERM");
    assert.equal((await turn).status, "interrupted");
  });
});

/** A turn, and when its first words have come. */
async function runningTurn(codex: CodexClient) {
  const thread = await codex.thread({});
  const turn = thread.run("go");
  const said = gate();
  void (async () => {
    for await (const event of turn) if (event.type === "agentMessage.delta") said.open();
  })().catch(() => undefined);
  return { turn, begun: said };
}
