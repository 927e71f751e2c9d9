import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CodexClient } from "@quire/client";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createServer, type Log } from "@quire/server";
import { codexConfigToml, eventually, httpError, mockResponses, reply, tempDir } from "@quire/testkit";
import { type Collector, collector, grpcCollector } from "./collector.ts";

const slow = { timeout: 60_000 };

interface Session extends AsyncDisposable {
  readonly client: CodexClient;
  readonly cwd: string;
  readonly warnings: string[];
  /** Ends the server, which sends what is left. */
  close(): Promise<void>;
}

/** A server with the `[otel]` given, and its client. */
async function session(model: { readonly url: string }, otel: string): Promise<Session> {
  const dir = await tempDir("quire-telemetry-");
  const home = join(dir.path, "home");
  // Not in the home, which commands do not see.
  const cwd = join(dir.path, "work");
  for (const folder of [home, cwd]) mkdirSync(folder);
  writeFileSync(join(home, "config.toml"), codexConfigToml({ baseUrl: model.url, toml: otel }));
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const log = { error: warn, warn, info() {}, debug() {}, trace() {} } as unknown as Log;
  const server = createServer({ home, env: { PATH: process.env.PATH, HOME: dir.path }, log });
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  const client = new CodexClient({ transport: ours });
  await client.connect();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await client.close();
    await server.close();
  };
  return {
    client,
    cwd,
    warnings,
    close: () => (closed ??= close()),
    async [Symbol.asyncDispose]() {
      closed ??= close();
      await closed;
      await dir.remove();
    },
  };
}

function exporters({ url }: Collector, protocol: string, more = ""): string {
  const to = (path: string) =>
    `{ otlp-http = { endpoint = "${url}${path}", protocol = "${protocol}", headers = { "x-key" = "k" } } }`;
  return `[otel]\nenvironment = "test"\nexporter = ${to("/v1/logs")}\ntrace_exporter = ${to("/v1/traces")}\n${more}`;
}

async function oneTurn({ client, cwd }: Session): Promise<void> {
  const thread = await client.thread({ cwd });
  await thread.run("my secret prompt");
}

describe("[otel]", () => {
  for (const protocol of ["json", "binary"]) {
    it(`tells a collector what happened, as ${protocol}, and what nobody may know to nobody`, slow, async () => {
      await using mock = await mockResponses();
      mock.script(
        reply().functionCall("exec_command", { cmd: "echo secret-output" }, { callId: "call-1" }),
        reply().text("The secret answer"),
      );
      await using sink = collector();
      await using here = await session(mock, exporters(sink, protocol));
      await oneTurn(here);
      await here.close();
      const names = sink.logs.map(({ attributes }) => attributes["event.name"]);
      assert.deepEqual(names, [
        "codex.conversation_starts",
        "codex.user_prompt",
        "codex.api_request",
        "codex.sse_event",
        "codex.tool_result",
        "codex.api_request",
        "codex.sse_event",
      ]);
      const [start, prompt, , event, tool] = sink.logs.map(({ attributes }) => attributes);
      assert.equal(start?.sandbox_policy, "workspace-write");
      assert.deepEqual([prompt?.prompt, prompt?.prompt_length], ["[REDACTED]", 16]);
      assert.equal(event?.["event.kind"], "response.completed");
      assert.ok((event?.input_token_count as number) > 0);
      assert.deepEqual([tool?.tool_name, tool?.success], ["exec_command", "true"]);
      assert.equal(sink.resource.env, "test");
      assert.equal(sink.requests[0]?.headers.get("x-key"), "k");
      const turn = sink.spans.find(({ name }) => name === "session_task.turn");
      const inside = sink.spans.filter(({ parentSpanId }) => parentSpanId === turn?.spanId).map(({ name }) => name);
      assert.deepEqual(inside.sort(), ["handle_tool_call", "stream_request", "stream_request"]);
      assert.ok(sink.spans.every(({ traceId }) => traceId === turn?.traceId));
      assert.equal(sink.logs[1]?.traceId, turn?.traceId);
      for (const { bytes } of sink.requests) assert.doesNotMatch(Buffer.from(bytes).toString("latin1"), /secret/);
    });
  }

  it("tells what users and tools say where log_user_prompt asks for it", slow, async () => {
    await using mock = await mockResponses();
    mock.script(
      reply().functionCall("exec_command", { cmd: "echo secret-output" }, { callId: "call-1" }),
      reply().text("Done"),
    );
    await using sink = collector();
    await using here = await session(mock, exporters(sink, "json", "log_user_prompt = true\n"));
    await oneTurn(here);
    await here.close();
    const of = (name: string) => sink.logs.find(({ attributes }) => attributes["event.name"] === name)?.attributes;
    assert.equal(of("codex.user_prompt")?.prompt, "my secret prompt");
    assert.match(String(of("codex.tool_result")?.output), /secret-output/);
  });

  it("sends while the server runs, not only at its end", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text("Done"));
    await using sink = collector();
    await using here = await session(mock, exporters(sink, "json"));
    await oneTurn(here);
    await eventually(() => sink.logs.length > 0 && sink.spans.length > 0);
  });

  it("tells that a model failed, by the kind of failure", slow, async () => {
    await using mock = await mockResponses();
    mock.script(httpError(400, "my secret prompt was refused"));
    await using sink = collector();
    await using here = await session(mock, exporters(sink, "json"));
    await assert.rejects(oneTurn(here));
    await here.close();
    const failed = sink.logs.find(({ attributes }) => attributes["event.name"] === "codex.api_request");
    assert.match(String(failed?.attributes["error.message"]), /^\w+$/);
    assert.ok(sink.spans.some(({ name, failed }) => name === "session_task.turn" && failed));
    for (const { bytes } of sink.requests) assert.doesNotMatch(Buffer.from(bytes).toString("latin1"), /secret/);
  });

  it("does not keep a turn from its work when the collector is gone or refuses, and warns once", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text("Done"), reply().text("Done again"));
    await using sink = collector({ status: 503 });
    await using here = await session(mock, exporters(sink, "json"));
    const thread = await here.client.thread({ cwd: here.cwd });
    assert.equal((await thread.run("one")).agentMessage, "Done");
    await eventually(() => here.warnings.some((text) => text.includes("logs cannot be sent")));
    assert.equal((await thread.run("two")).agentMessage, "Done again");
    await here.close();
    assert.equal(here.warnings.filter((text) => text.includes("logs cannot be sent")).length, 1);
  });

  it("ends with the server, also where the collector never answers", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text("Done"));
    await using sink = collector({ status: "never" });
    await using here = await session(mock, exporters(sink, "json"));
    await oneTurn(here);
    await here.close();
    assert.ok(sink.requests.length > 0);
  });

  it("counts and measures what happened", slow, async () => {
    await using mock = await mockResponses();
    mock.script(
      reply().functionCall("exec_command", { cmd: "true" }, { callId: "call-1" }),
      reply().text("Done"),
      reply().text("Again"),
    );
    await using sink = collector();
    const to = `{ otlp-http = { endpoint = "${sink.url}/v1/metrics", protocol = "json" } }`;
    await using here = await session(mock, `[otel]\nmetrics_exporter = ${to}\n`);
    const thread = await here.client.thread({ cwd: here.cwd });
    await thread.run("my secret prompt");
    await thread.run("and again");
    await here.close();
    checkMetrics(sink);
    const bytes = Buffer.concat(sink.requests.map((request) => request.bytes));
    assert.doesNotMatch(bytes.toString("latin1"), /secret/);
  });

  it("speaks gRPC with a collector, for logs, traces and metrics", slow, async () => {
    await using mock = await mockResponses();
    mock.script(
      reply().functionCall("exec_command", { cmd: "true" }, { callId: "call-1" }),
      reply().text("Done"),
      reply().text("Again"),
    );
    await using sink = await grpcCollector();
    await using here = await session(mock, byGrpc(sink));
    const thread = await here.client.thread({ cwd: here.cwd });
    await thread.run("one");
    await thread.run("two");
    await here.close();
    assert.ok(sink.logs.some(({ attributes }) => attributes["event.name"] === "codex.tool_result"));
    assert.equal(sink.spans.filter(({ name }) => name === "session_task.turn").length, 2);
    checkMetrics(sink);
    assert.ok(sink.requests.every(({ headers }) => headers.get("x-key") === "k"));
  });

  it("says what a collector has against it that is called by gRPC, and works without", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text("Done"));
    await using sink = await grpcCollector({ status: 7 });
    await using here = await session(mock, byGrpc(sink));
    await oneTurn(here);
    await here.close();
    for (const what of ["logs", "traces", "metrics"])
      assert.deepEqual(
        here.warnings.filter((text) => text.includes(`${what} cannot be sent: the collector answers gRPC status 7`))
          .length,
        1,
        what,
      );
  });

  it("warns of an exporter that cannot be, and works without it", slow, async () => {
    await using mock = await mockResponses();
    mock.script(reply().text("Done"));
    const otel = '[otel]\nexporter = { carrier-pigeon = { endpoint = "http://127.0.0.1:1" } }\n';
    await using here = await session(mock, otel);
    await oneTurn(here);
    await eventually(() => here.warnings.some((text) => text.includes("otel.exporter")));
  });
});

function byGrpc({ url }: Collector): string {
  const to = `{ otlp-grpc = { endpoint = "${url}", headers = { "x-key" = "k" } } }`;
  return `[otel]\nexporter = ${to}\ntrace_exporter = ${to}\nmetrics_exporter = ${to}\n`;
}

/** Of two turns, the first of which has run a command. */
function checkMetrics({ metrics }: Collector): void {
  const of = (wanted: string) => metrics.filter(({ name }) => name === wanted);
  assert.deepEqual(
    of("codex.thread.started").map(({ count }) => count),
    [1],
  );
  assert.deepEqual(
    of("codex.api_request").map(({ count, attributes }) => [count, attributes.success]),
    [[3, "true"]],
  );
  assert.deepEqual(
    of("codex.tool.call").map(({ count, attributes }) => [count, attributes.tool, attributes.success]),
    [[1, "exec_command", "true"]],
  );
  const [perTurn] = of("codex.turn.tool.call");
  // Two turns: none and one call, in the first bucket and in the second.
  assert.deepEqual([perTurn?.count, perTurn?.sum, perTurn?.buckets.slice(0, 3)], [2, 1, [1, 1, 0]]);
  const tokens = of("codex.turn.token_usage").find(({ attributes }) => attributes.token_type === "total");
  assert.equal(tokens?.count, 2);
  assert.ok((tokens.sum ?? 0) > 0);
  const [took] = of("codex.turn.e2e_duration_ms");
  assert.equal(took?.count, 2);
  assert.equal(
    took.buckets.reduce((sum, each) => sum + each, 0),
    2,
  );
}
