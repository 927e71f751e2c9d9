import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, type EvaluationEvent, markdown, PromptEvaluationError, ToolResult, tool } from "@quire/agent";
import { gate } from "@quire/testkit";
import { z } from "zod";
import { errorOf, hello, promptWith, stage, toolCall } from "../support/stage.ts";

const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok(null, "pong") });

async function typesOf(events: AsyncIterable<EvaluationEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

test("4.30: a stream shows the prompt, the thread, the turn's events and calls of tools, then gives the same result", async () => {
  const { agent } = stage((server) => server.turn({ items: [toolCall("ping")], text: "Hello!", chunks: 3 }));
  const stream = agent.stream(promptWith(ping).bind());
  const seen: EvaluationEvent[] = [];
  for await (const event of stream) seen.push(event);
  const types = seen.map(({ type }) => type);
  assert.deepEqual(types.slice(0, 3), ["prompt.rendered", "thread.opened", "turn.started"]);
  assert.equal(types.at(-1), "turn.completed");
  assert.ok(types.indexOf("tool.invoked") < types.indexOf("agentMessage.delta"), types.join(" "));
  const said = seen.map((event) => (event.type === "agentMessage.delta" ? event.delta : "")).join("");
  assert.equal(said, "Hello!");
  const result = await stream.result;
  const [rendered, opened] = seen;
  assert.deepEqual(rendered?.type === "prompt.rendered" && rendered.tools, ["ping"]);
  assert.deepEqual(opened, { type: "thread.opened", threadId: result.threadId, isNew: true });
  const usage = seen.filter((event) => event.type === "usage.updated").at(-1);
  assert.deepEqual(usage?.type === "usage.updated" && usage.usage, result.usage);
  assert.equal(result.text, "Hello!");
});

test("4.30: the result of a stream is typed and parsed as that of evaluate()", async () => {
  const prompt = definePrompt({
    ns: "t",
    key: "o",
    sections: [markdown({ key: "a", title: "A", template: "Hi" })],
    output: z.object({ title: z.string() }),
  });
  const { agent } = stage((server) => server.turn({ text: '{"title":"x"}' }));
  const { output } = await agent.stream(prompt.bind()).result;
  assert.equal(output.title, "x");
});

test("4.31: events come while the turn runs, and to a second reader from the first event on", async () => {
  const held = gate();
  const { agent } = stage((server) =>
    server.turn({
      items: [
        { type: "message", text: "one" },
        { type: "wait", until: held },
      ],
      text: "two",
    }),
  );
  const stream = agent.stream(hello.bind());
  for await (const event of stream) {
    // The turn ends only when its first message was seen.
    if (event.type === "item.completed") held.open();
  }
  assert.equal((await stream.result).text, "two");
  assert.equal((await typesOf(stream))[0], "prompt.rendered");
});

test("4.31: a failed evaluation throws out of the loop after its last event, and rejects the result", async () => {
  const { agent } = stage((server) => server.turn({ error: { message: "no luck", codexErrorInfo: "other" } }));
  const stream = agent.stream(hello.bind());
  const types: string[] = [];
  const error = await errorOf(
    (async () => {
      for await (const { type } of stream) types.push(type);
    })(),
  );
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(types.at(-1), "turn.completed");
  assert.equal(await errorOf(stream.result), error);
});

test("4.31: abort() interrupts the turn, and so does the caller's signal", async () => {
  const scene = stage((server) => server.turn({ items: [{ type: "wait", until: gate() }] }));
  const reason = new Error("enough");
  const stream = scene.agent.stream(hello.bind());
  for await (const { type } of stream) {
    if (type !== "turn.started") continue;
    stream.abort(reason);
    break;
  }
  assert.equal(await errorOf(stream.result), reason);
  await scene.server.waitFor("turn/interrupt");
  const controller = new AbortController();
  const second = scene.agent.stream(hello.bind(), { signal: controller.signal });
  for await (const { type } of second) {
    if (type !== "turn.started") continue;
    controller.abort(reason);
    break;
  }
  assert.equal(await errorOf(second.result), reason);
});

test("4.31: await using aborts the evaluation and waits for its end", async () => {
  const scene = stage((server) => server.turn({ items: [{ type: "wait", until: gate() }] }));
  let settled = false;
  {
    await using stream = scene.agent.stream(hello.bind());
    stream.result
      .catch(() => undefined)
      .finally(() => {
        settled = true;
      });
    for await (const { type } of stream) if (type === "turn.started") break;
  }
  assert.ok(settled);
});

test("4.31: a reader that falls behind gets lagged instead of a part of the events, and the end all the same", async () => {
  const chunks = 25_000;
  const { agent } = stage((server) => server.turn({ text: "a".repeat(chunks), chunks }));
  const stream = agent.stream(hello.bind());
  await stream.result;
  const seen: EvaluationEvent[] = [];
  for await (const event of stream) seen.push(event);
  assert.ok(seen.length <= 10_001, `${seen.length} events`);
  const [first] = seen;
  assert.ok(first?.type === "lagged" && first.missed > 10_000);
  assert.equal(seen.at(-1)?.type, "turn.completed");
});

test("4.31: keys that the agent was given are in no event of a stream", async () => {
  const secret = "sk-very-secret-key";
  const { agent } = stage(
    (server) => {
      server.on("account/login/start", { type: "apiKey" });
      server.turn({ text: `the key is ${secret}` });
    },
    { client: { auth: { apiKey: secret } } },
  );
  const stream = agent.stream(hello.bind());
  const seen: EvaluationEvent[] = [];
  for await (const event of stream) seen.push(event);
  assert.doesNotMatch(JSON.stringify(seen), /very-secret/);
});
