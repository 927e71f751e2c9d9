import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientState, ConnectionError, type SpawnOptions, tool } from "@quire/client";
import { assertNoProcesses, gate, isWithin, reply, taggedProcesses, waitUntilStored } from "@quire/testkit";
import { z } from "zod";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

/** A client that starts its server again when it is gone. */
async function respawning(version: string, options: SpawnOptions = {}): Promise<Fixture & { states: ClientState[] }> {
  const fixture = await spawned(version, { reconnect: true, ...options });
  const states: ClientState[] = [];
  fixture.client.on("state", (state) => states.push(state));
  return { ...fixture, states };
}

/** Kills the server as a crash would: without a word, and whatever it runs stays behind. Waits until that is noticed. */
async function crash({ codex, client }: Fixture): Promise<void> {
  const server = (await taggedProcesses(codex.tag)).find(({ parent }) => parent === process.pid);
  assert.ok(server, "the server runs");
  const noticed = new Promise<ClientState>((resolve) => client.once("state", resolve));
  process.kill(server.pid, "SIGKILL");
  assert.equal(await noticed, "reconnecting");
}

await onEachCodex("respawn", "0.98.0", (version) => {
  test("a crash in a turn ends the turn for certain, and the thread works on with its history", async () => {
    await using fixture = await respawning(version);
    const { mock, client, codex, states } = fixture;
    mock.script(
      reply().text("I will remember."),
      reply().functionCall("exec_command", { cmd: "sleep 600" }, { callId: "call-1" }),
    );
    const thread = await client.thread();
    await thread.run("remember the number 717");
    const turn = thread.run("go");
    for await (const event of turn) {
      if (event.type === "item.started" && event.item.type === "commandExecution") break;
    }
    await crash(fixture);
    if (isWithin(version, { until: "0.104.0" })) {
      // 0.98 counts the turns of each process from 0; up to 0.104 every stored turn is said to be completed.
      const reason = /not known to the server after the reconnect|does not tell whether it has ended \(0\.105\.0/;
      const isLost = (error: unknown) => ConnectionError.is(error) && error.mayHaveRun && reason.test(error.message);
      await assert.rejects(Promise.resolve(turn), isLost);
    } else {
      const { status, items } = await turn;
      assert.equal(status, "interrupted");
      // The command had begun; a server either forgets it or says that it failed.
      const completed = items.filter((item) => item.type !== "commandExecution" || item.status !== "failed");
      assert.deepEqual(
        completed.map(({ type }) => type),
        ["userMessage"],
        "what had completed, once",
      );
    }
    mock.script(reply().text("It is 717."));
    assert.equal((await thread.run("which number?")).agentMessage, "It is 717.");
    const sent = mock.last?.inputText() ?? "";
    for (const part of ["remember the number 717", "I will remember.", "which number?"]) assert.ok(sent.includes(part));
    assert.deepEqual(states, ["reconnecting", "ready"]);
    await client.close();
    assert.deepEqual(states, ["reconnecting", "ready", "closed"]);
    await assertNoProcesses({ tag: codex.tag });
  });

  test("a crash between turns is made good: calls made meanwhile wait, and each loss is told once", async () => {
    await using fixture = await respawning(version);
    const { mock, client, codex, states } = fixture;
    const lost: string[] = [];
    client.on("warning", ({ code, message }) => lost.push(`${code}: ${message}`));
    mock.script(reply().text("one"), reply().text("two"), reply().text("three"));
    const thread = await client.thread();
    assert.equal((await thread.run("first")).agentMessage, "one");
    await waitUntilStored(() => client.readThread(thread.id, true), "first");
    for (const [index, answer] of ["two", "three"].entries()) {
      await crash(fixture);
      assert.equal((await thread.run(`then ${answer}`)).agentMessage, answer);
      await waitUntilStored(() => client.readThread(thread.id, true), `then ${answer}`);
      assert.equal(lost.length, index + 1);
    }
    for (const warning of lost) assert.match(warning, /^reconnecting: Connection lost: .*SIGKILL/);
    assert.deepEqual(states, ["reconnecting", "ready", "reconnecting", "ready"]);
    await client.close();
    await assertNoProcesses({ tag: codex.tag });
  });

  test("a question that was open when the server crashed is withdrawn", async () => {
    const asked = gate();
    const withdrawn = gate();
    await using fixture = await respawning(version, {
      onApproval: ({ signal }) => {
        signal.addEventListener("abort", withdrawn.open);
        asked.open();
        return new Promise<never>(() => {});
      },
    });
    const { mock, client } = fixture;
    mock.script(reply().functionCall("exec_command", { cmd: "touch made.txt" }, { callId: "call-1" }));
    const thread = await client.thread({ approvalPolicy: "untrusted" });
    const turn = thread.run("go");
    await asked;
    await crash(fixture);
    await withdrawn;
    await turn.catch(ConnectionError.is);
    mock.script(reply().text("Never mind."));
    assert.equal((await thread.run("next")).agentMessage, "Never mind.");
  });
});

await onEachCodex("respawn with tools", "0.118.0", (version) => {
  test("the tools of a thread still work after a crash", async () => {
    await using fixture = await respawning(version);
    const { mock, client } = fixture;
    const now = tool({ name: "now", description: "The time", input: z.object({}), run: () => "noon" });
    mock.script(reply().text("Hello."));
    const thread = await client.thread({ tools: [now] });
    await thread.run("hi");
    await waitUntilStored(() => client.readThread(thread.id, true), "hi");
    await crash(fixture);
    mock.script(reply().functionCall("now", {}, { callId: "call-1" }), reply().text("It is noon."));
    assert.equal((await thread.run("what time is it?")).agentMessage, "It is noon.");
    assert.equal(mock.last?.functionOutput("call-1"), "noon");
  });
});
