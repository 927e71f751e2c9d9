import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError, TurnError } from "@quire/client";
import { codexErrorKind } from "@quire/protocol";
import { eventually, gate, reply } from "@quire/testkit";
import { z } from "zod";
import { sharedServer } from "./shared-server.ts";
import { onEachCodex, spawned } from "./support.ts";

await onEachCodex("turns", "0.98.0", (version) => {
  const server = sharedServer(version);

  test("every event of a turn comes once and in order, to each consumer, and adds up to the result", async () => {
    const fixture = server();
    fixture.mock.script(
      reply().functionCall("exec_command", { cmd: "printf one" }, { callId: "call-1" }),
      reply().text("All done here.", { chunks: 5 }),
    );
    const thread = await fixture.client.thread();
    const turn = thread.run("go");
    const collect = async () => {
      const events = [];
      for await (const event of turn) events.push(event);
      return events;
    };
    const [first, second, result] = await Promise.all([collect(), collect(), turn]);
    assert.deepEqual(first, second);
    const types = first.map(({ type }) => type);
    assert.equal(types[0], "turn.started");
    assert.equal(types.at(-1), "turn.completed");
    const text = first.map((event) => (event.type === "agentMessage.delta" ? event.delta : "")).join("");
    assert.equal(text, "All done here.");
    assert.equal(result.agentMessage, text);
    const kinds = result.items.map((item) => item.type);
    assert.deepEqual(kinds, ["userMessage", "commandExecution", "agentMessage"]);
    assert.ok((result.usage?.total.totalTokens ?? 0) > 0);
    assert.equal(await turn.id, result.turn.id);
    assert.deepEqual(await collect(), first, "a consumer that comes after the end sees the same");
  });

  test("turns of one thread follow each other with its history", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    mock.script(reply().text("first answer"), reply().text("second answer"));
    const thread = await client.thread();
    assert.equal((await thread.run("question one")).agentMessage, "first answer");
    assert.equal((await thread.run("question two")).agentMessage, "second answer");
    const sent = mock.last?.inputText() ?? "";
    for (const part of ["question one", "first answer", "question two"]) assert.ok(sent.includes(part), part);
  });

  test("turns of many threads at once do not mix", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    const names = Array.from({ length: 8 }, (_, index) => `thread number ${index}!`);
    for (const name of names) mock.when(name).always(reply().text(`answer to ${name}`, { chunks: 3 }));
    const answers = await Promise.all(
      names.map(async (name) => (await (await client.thread()).run(name)).agentMessage),
    );
    assert.deepEqual(
      answers,
      names.map((name) => `answer to ${name}`),
    );
  });

  test("a failed turn rejects with what the server knows of the failure", async () => {
    const fixture = server();
    fixture.mock.script(reply().failed("context_length_exceeded", "too long"));
    const thread = await fixture.client.thread();
    await assert.rejects(Promise.resolve(thread.run("go")), (error) => {
      assert.ok(TurnError.is(error));
      assert.equal(error.codexErrorInfo && codexErrorKind(error.codexErrorInfo), "contextWindowExceeded");
      assert.equal(error.result.turn.status, "failed");
      assert.equal(error.mayHaveRun, true);
      return true;
    });
  });

  test("interrupt stops the turn on the server, and it resolves as interrupted", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    const held = gate();
    mock.script(reply().text("Thinking ").gate(held).text("about it"));
    const thread = await client.thread();
    const turn = thread.run("go");
    for await (const event of turn) if (event.type === "agentMessage.delta") break;
    await turn.interrupt();
    const result = await turn;
    assert.equal(result.status, "interrupted");
    held.open();
    mock.script(reply().text("back to work"));
    assert.equal((await thread.run("next")).agentMessage, "back to work");
  });

  test("aborting interrupts the turn on the server and rejects with the reason", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    mock.script(reply().functionCall("exec_command", { cmd: "sleep 60" }, { callId: "call-1" }));
    const thread = await client.thread();
    const stop = new AbortController();
    const turn = thread.run("go", { signal: stop.signal });
    for await (const event of turn) {
      if (event.type === "item.started" && event.item.type === "commandExecution") break;
    }
    const reason = new Error("the user left");
    stop.abort(reason);
    await assert.rejects(Promise.resolve(turn), reason);
    const newest = async () => {
      for await (const { status } of thread.turns()) return status;
      return undefined;
    };
    // What is stored may be behind what was told.
    await eventually(async () => assert.equal(await newest(), "interrupted") ?? true);
  });

  test("structured output comes back typed and validated, and the model is held to it", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    mock.script(reply().text('{"title":"Quire","files":["a.ts"],"note":null}'));
    const schema = z.object({ title: z.string(), files: z.array(z.string()), note: z.string().optional() });
    const { output } = await (await client.thread()).run("report", { output: schema });
    const typed: { title: string; files: string[]; note?: string | undefined } = output;
    assert.deepEqual(typed, { title: "Quire", files: ["a.ts"] });
    const sent = mock.last?.body as { text?: { format?: { strict?: boolean } } } | undefined;
    assert.equal(sent?.text?.format?.strict, true);
  });
});

await onEachCodex("steering", "0.98.0", (version) => {
  test("steer adds to the running turn, or names the version that can", async () => {
    await using fixture = await spawned(version);
    const { mock, client } = fixture;
    const steered = gate();
    mock.script(
      reply().gate(steered).functionCall("exec_command", { cmd: "true" }, { callId: "call-1" }),
      reply().text("Did both."),
      reply().text("Did both."),
    );
    const thread = await client.thread();
    const turn = thread.run("first this");
    for await (const event of turn) if (event.type === "item.completed" && event.item.type === "userMessage") break;
    if (version === "0.98.0") {
      await assert.rejects(turn.steer("and that"), (error) => RpcError.is(error) && /0\.99\.0/.test(error.message));
      steered.open();
      await turn;
      return;
    }
    await turn.steer("and that");
    steered.open();
    const { agentMessage, items } = await turn;
    assert.equal(agentMessage, "Did both.");
    assert.equal(items.filter((item) => item.type === "userMessage").length, 2);
  });
});
