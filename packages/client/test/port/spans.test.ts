import assert from "node:assert/strict";
import { test } from "node:test";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { CodexClient, type CodexClientOptions, TurnError } from "@quire/client";
import { RpcError } from "@quire/jsonrpc";
import { eventually, gate, scriptedServer } from "@quire/testkit";
import { tracing } from "./open-telemetry.ts";

async function connected(options: CodexClientOptions = {}) {
  const server = scriptedServer();
  const client = new CodexClient({ ...options, transport: server.transport });
  await client.connect();
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

test("with OpenTelemetry registered there is a span for each request and each turn", async () => {
  using otel = tracing();
  await using it = await connected();
  it.server.turn({ items: [{ type: "command", command: "ls" }], text: "Done." });
  const thread = await it.client.thread();
  const { turn } = await thread.run("Go");
  assert.deepEqual(
    otel.spans().map(({ name }) => name),
    ["codex thread/start", "codex turn/start", "codex turn"],
  );
  const [request] = otel.spans("codex turn/start");
  assert.equal(request?.kind, SpanKind.CLIENT);
  assert.deepEqual(request?.attributes, { "rpc.system": "jsonrpc", "rpc.method": "turn/start" });
  assert.equal(request?.instrumentationScope.name, "@quire/client");
  const [span] = otel.spans("codex turn");
  assert.deepEqual(span?.attributes, {
    "codex.thread_id": thread.id,
    "codex.turn_id": turn.id,
    "codex.items": 3,
  });
  assert.equal(span?.status.code, SpanStatusCode.UNSET);
});

test("the span of a turn lasts as long as the turn", async () => {
  using otel = tracing();
  await using it = await connected();
  const hold = gate();
  it.server.turn({ items: [{ type: "wait", until: hold }], text: "Done." });
  const run = (await it.client.thread()).run("Go");
  await run.id;
  assert.equal(otel.spans("codex turn").length, 0);
  hold.open();
  await run;
  assert.equal(otel.spans("codex turn").length, 1);
});

test("what fails is recorded in its span", async () => {
  using otel = tracing();
  await using it = await connected();
  it.server.on("model/list", new RpcError({ code: -32600, message: "not today" }));
  await assert.rejects(it.client.listModels());
  const [request] = otel.spans("codex model/list");
  assert.deepEqual(request?.status, { code: SpanStatusCode.ERROR, message: "not today" });
  assert.equal(request?.events[0]?.name, "exception");
  assert.equal(request?.events[0]?.attributes?.["exception.message"], "not today");

  it.server.turn({ error: { message: "no quota", codexErrorInfo: "usageLimitExceeded" } });
  const run = (await it.client.thread()).run("Go");
  await assert.rejects(Promise.resolve(run), (error) => TurnError.is(error));
  const [turn] = otel.spans("codex turn");
  assert.deepEqual(turn?.status, { code: SpanStatusCode.ERROR, message: "no quota" });
  assert.equal(turn?.events[0]?.attributes?.["exception.type"], "TurnError");
});

test("an interrupted turn and a lost connection end their spans", async () => {
  using otel = tracing();
  await using it = await connected();
  it.server.turn({ items: [{ type: "wait", until: gate() }] }, { items: [{ type: "wait", until: gate() }] });
  const abort = new AbortController();
  const thread = await it.client.thread();
  const aborted = thread.run("Go", { signal: abort.signal });
  await aborted.id;
  abort.abort(new Error("enough"));
  await assert.rejects(Promise.resolve(aborted), /enough/);
  const lost = thread.run("Go");
  await lost.id;
  await it.server.close();
  await assert.rejects(Promise.resolve(lost));
  await eventually(() => otel.spans("codex turn").length === 2);
  assert.deepEqual(
    otel.spans("codex turn").map(({ status }) => status.code),
    [SpanStatusCode.ERROR, SpanStatusCode.ERROR],
  );
});

test("spans are children of the caller's span, also across awaits", async () => {
  using otel = tracing();
  await using it = await connected();
  const tracer = otel.provider.getTracer("app");
  const parent = tracer.startSpan("job");
  await context.with(trace.setSpan(context.active(), parent), async () => {
    const thread = await it.client.thread();
    await thread.run("Go");
  });
  parent.end();
  const children = otel.spans().filter(({ name }) => name.startsWith("codex "));
  assert.equal(children.length, 3);
  for (const child of children) {
    assert.equal(child.parentSpanContext?.spanId, parent.spanContext().spanId, child.name);
    assert.equal(child.spanContext().traceId, parent.spanContext().traceId, child.name);
  }
});

test("without anything registered there are no spans and nothing fails", async () => {
  using otel = tracing({ register: false });
  await using it = await connected();
  assert.equal((await (await it.client.thread()).run("Go")).agentMessage, "ok");
  assert.deepEqual(otel.spans(), []);
});

test("a tracer that is given is used, whether or not one is registered", async () => {
  using registered = tracing();
  using own = tracing({ register: false });
  await using it = await connected({ tracer: own.provider.getTracer("mine") });
  await (await it.client.thread()).run("Go");
  assert.equal(own.spans().length, 3);
  assert.equal(own.spans()[0]?.instrumentationScope.name, "mine");
  assert.deepEqual(registered.spans(), []);
});

test("a provider that is registered after the client was made is not missed", async () => {
  await using it = await connected();
  using otel = tracing();
  await it.client.thread();
  assert.equal(otel.spans("codex thread/start").length, 1);
});
