import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { gate, httpError, type MockResponses, mockResponses, reply } from "@quire/testkit";
import { type SseEvent, sseEvents, textOf, userInput } from "./sse-client.ts";

async function ask(mock: MockResponses, text = "hi", signal?: AbortSignal): Promise<Response> {
  return fetch(`${mock.url}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, input: [userInput(text)] }),
    ...(signal && { signal }),
  });
}

async function allEvents(response: Response): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const event of sseEvents(response)) events.push(event);
  return events;
}

test("a text reply streams the events of the Responses API in order, with usage at the end", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text("hello", { chunks: 2 }).usage({ input: 3, output: 2 }));
  const response = await ask(mock);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const events = await allEvents(response);
  assert.deepEqual(
    events.map((event) => event.type),
    [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ],
  );
  assert.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, index) => index),
  );
  const last = events.at(-1)?.response as { usage: { total_tokens: number } } | undefined;
  assert.equal(last?.usage.total_tokens, 5);
});

test("replies come in the order of the script, then the fallback, which may be an error", async () => {
  await using mock = await mockResponses();
  mock.script(
    reply().text("one"),
    (request, index) => reply().text(`${index}: ${request.lastUserText}`),
    httpError(418, { a: 1 }),
  );
  assert.equal(textOf(await allEvents(await ask(mock))), "one");
  assert.equal(textOf(await allEvents(await ask(mock, "echo"))), "1: echo");
  const error = await ask(mock);
  assert.equal(error.status, 418);
  assert.deepEqual(await error.json(), { a: 1 });
  assert.equal(textOf(await allEvents(await ask(mock))), "ok");
  mock.fallback(httpError(500));
  assert.equal((await ask(mock)).status, 500);
  assert.equal(mock.requests.length, 5);
});

test("a matcher chooses its requests before the queue does", async () => {
  await using mock = await mockResponses();
  mock.when("alpha").reply(reply().text("for alpha"));
  mock.when(/^beta/).always(reply().text("for beta"));
  mock.script(reply().text("queued"));
  assert.equal(textOf(await allEvents(await ask(mock, "beta 1"))), "for beta");
  assert.equal(textOf(await allEvents(await ask(mock, "alpha"))), "for alpha");
  assert.equal(textOf(await allEvents(await ask(mock, "alpha"))), "queued");
  assert.equal(textOf(await allEvents(await ask(mock, "beta 2"))), "for beta");
  assert.equal(mock.remaining, 0);
});

test("a script that throws gives an error that says so", async () => {
  await using mock = await mockResponses();
  mock.script(() => {
    throw new Error("no idea");
  });
  const response = await ask(mock);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /no idea/);
});

test("a gate holds the stream with everything before it delivered", async () => {
  await using mock = await mockResponses();
  const hold = gate();
  mock.script(reply().text(["before", hold, "after"]));
  const seen: string[] = [];
  for await (const event of sseEvents(await ask(mock))) {
    if (event.type !== "response.output_text.delta") continue;
    seen.push(String(event.delta));
    assert.equal(hold.isOpen, seen.length > 1);
    hold.open();
  }
  assert.deepEqual(seen, ["before", "after"]);
});

test("a cut stream breaks off after what was sent", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text("half a sentence", { unfinished: true }).cut());
  // A bare socket, since fetch may drop what it has received when the stream breaks.
  const { port } = new URL(mock.url);
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const body = '{"model":"m","input":[]}';
  socket.write(`POST /v1/responses HTTP/1.1\r\nhost: mock\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, "close");
  assert.match(received, /^HTTP\/1\.1 200 /);
  assert.match(received, /half a sentence/);
  assert.doesNotMatch(received, /response\.completed/);
  // The chunk of length 0 would be the proper end.
  assert.doesNotMatch(received, /\r\n0\r\n/);
});

test("a client that goes away is noticed, and closing frees streams that are held", async () => {
  const mock = await mockResponses();
  const never = new Promise(() => {});
  mock.script(reply().gate(never), reply().gate(never));
  const abort = new AbortController();
  await ask(mock, "leave", abort.signal);
  abort.abort();
  assert.equal(await mock.requests[0]?.ended, "aborted");
  const held = await ask(mock, "stay");
  await mock.close();
  await mock.close();
  await assert.rejects(held.text());
  await assert.rejects(ask(mock));
});

test("waiting for a request works before and after it came, and says what came instead", async () => {
  await using mock = await mockResponses();
  const waiting = mock.waitForRequest(1);
  await ask(mock, "zero");
  await ask(mock, "one");
  assert.equal((await waiting).lastUserText, "one");
  assert.equal((await mock.waitForRequest(0)).lastUserText, "zero");
  assert.equal((await mock.waitFor((request) => request.inputText().includes("one"))).index, 1);
  await assert.rejects(mock.waitForRequest(7, { timeoutMs: 1 }), /2 others arrived/);
});

test("the list of models is answered, anything else is noted as unknown", async () => {
  await using mock = await mockResponses({ models: ["a", "b"] });
  const models = (await (await fetch(`${mock.url}/models`)).json()) as { data: { id: string }[] };
  assert.deepEqual(
    models.data.map(({ id }) => id),
    ["a", "b"],
  );
  assert.equal((await fetch(`${mock.url}/files`)).status, 404);
  assert.deepEqual(mock.unknown, ["GET /v1/files"]);
  assert.equal((await fetch(`${mock.url}/responses`, { method: "POST", body: "no json" })).status, 400);
  assert.equal(mock.requests.length, 0);
  assert.throws(() => mock.last, /not asked/);
});

test("100,000 deltas arrive whole and in order", { timeout: 60_000 }, async () => {
  await using mock = await mockResponses();
  const count = 100_000;
  mock.script(reply().text(Array.from({ length: count }, (_, index) => `${index} `)));
  let next = 0;
  for await (const event of sseEvents(await ask(mock))) {
    if (event.type === "response.output_text.delta") assert.equal(event.delta, `${next++} `);
  }
  assert.equal(next, count);
});

test("a request can be asked for its messages, tools and outputs", async () => {
  await using mock = await mockResponses();
  const body = {
    model: "m",
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "be nice" }] },
      userInput("question"),
      { type: "function_call_output", call_id: "plain", output: "text" },
      {
        type: "custom_tool_call_output",
        call_id: "parts",
        output: [
          { type: "input_text", text: "a" },
          { type: "input_text", text: "b" },
        ],
      },
    ],
    tools: [
      { type: "function", name: "f" },
      { type: "web_search" },
      { type: "namespace", name: "ns", tools: [{ type: "function", name: "g", strict: true }] },
    ],
  };
  await fetch(`${mock.url}/responses`, { method: "POST", body: JSON.stringify(body), headers: { "x-test": "yes" } });
  const { last } = mock;
  assert.equal(last.inputText(), "be nice\nquestion");
  assert.deepEqual(last.messages("user"), ["question"]);
  assert.deepEqual(last.tools(), ["f", "web_search", "ns.g"]);
  assert.equal(last.tool("ns.g")?.strict, true);
  assert.equal(last.functionOutput("plain"), "text");
  assert.equal(last.functionOutput("parts"), "ab");
  assert.equal(last.functionOutput("none"), undefined);
  assert.equal(last.headers["x-test"], "yes");
});
