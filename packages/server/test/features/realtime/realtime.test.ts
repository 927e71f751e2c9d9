import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, gate, reply, tempDir } from "@quire/testkit";
import { type TestServer, testServer, unattended } from "../../support/test-server.ts";
import { answerSdp, realtimeEndpoint } from "./endpoint.ts";

interface Heard {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was told
  readonly params: any;
}

const told = ["started", "error", "closed", "sdp", "transcript/done", "item/completed"].map(
  (name) => `thread/realtime/${name}`,
);

/** A server whose voices are at an endpoint, and what it tells of them. */
async function voiced(home: string, url: string): Promise<{ server: TestServer; heard: Heard[] }> {
  const server = await testServer({
    home,
    model: "scripted",
    env: { OPENAI_API_KEY: "sk-test", MODEL_KEY: "sk-model" },
  });
  const values = {
    experimental_realtime_ws_base_url: url,
    experimental_realtime_webrtc_call_base_url: `${url.replace(/^ws/, "http")}/v1`,
    "model_providers.mock.env_key": "MODEL_KEY",
  };
  const edits = Object.entries(values).map(([keyPath, value]) => ({ keyPath, value, mergeStrategy: "replace" }));
  await server.client.request("config/batchWrite", { edits });
  const heard: Heard[] = [];
  for (const method of told) server.client.on(method as never, (params) => void heard.push({ method, params }));
  return { server, heard };
}

const start = ({ client }: TestServer, threadId: string, more: object = {}) =>
  client.request("thread/realtime/start", { threadId, outputModality: "audio", ...more });

const names = (heard: readonly Heard[]) => heard.map(({ method }) => method.replace("thread/realtime/", ""));

const webrtc = { transport: { type: "webrtc", sdp: "v=0\r\ns=offer\r\n" } };

test("an endpoint that cannot be reached, or goes away, ends the voice and not the thread", async () => {
  await using folder = await tempDir("quire-realtime-");
  const endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  await endpoint[Symbol.asyncDispose]();
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
  heard.length = 0;
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/error")));
  assert.equal((await server.client.turn(thread)).status, "completed");
  // What never began does not end.
  assert.deepEqual(names(heard), ["error"]);
});

test("work that a voice delegates while the agent is at work changes the turn that runs", async () => {
  await using folder = await tempDir("quire-realtime-");
  await using endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  const held = gate();
  server.model.script(reply().text("at it").gate(held), reply().text("changed course"));
  const ended = server.client.turn(thread);
  await eventually(() => server.model.requests.length === 1);
  const item = { type: "function_call", name: "background_agent", call_id: "c", arguments: '{"prompt":"stop that"}' };
  endpoint.say({ type: "conversation.item.done", item });
  await endpoint.heard("response.create");
  held.open();
  await ended;
  assert.match(JSON.stringify(server.model.requests.at(-1)?.body), /stop that/);
});

test("a voice ends with its thread", async () => {
  await using folder = await tempDir("quire-realtime-");
  await using endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await server.client.turn(thread);
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  await server.client.request("thread/archive", { threadId: thread });
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
});

test("a call over WebRTC goes to OpenAI's public API as well, with the provider's key", async () => {
  await using folder = await tempDir("quire-realtime-");
  await using endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await start(server, thread, { ...webrtc, version: "v2", model: "my-voice", prompt: "be nice" });
  // It is sent when there is somebody to send it to.
  await server.client.request("thread/realtime/appendText", { threadId: thread, text: "hello" });
  await endpoint.heard("conversation.item.create");
  await eventually(() => heard.some(({ method }) => method.endsWith("/sdp")));
  assert.deepEqual(names(heard), ["item/completed", "started", "sdp"]);
  assert.equal(heard.at(-1)?.params.sdp, answerSdp);
  const [call] = endpoint.calls;
  assert.equal(call?.to, "/v1/realtime/calls");
  assert.equal(call.authorization, "Bearer sk-model");
  assert.equal(call.sdp, webrtc.transport.sdp);
  const { type, model, instructions } = call.session as Record<string, unknown>;
  assert.deepEqual({ type, model, instructions }, { type: "realtime", model: "my-voice", instructions: "be nice" });
  assert.deepEqual(endpoint.sockets, ["/v1/realtime?call_id=rtc_1"]);
  assert.deepEqual(
    endpoint.messages.map((message) => message.type),
    ["session.update", "conversation.item.create"],
  );
});

for (const [what, response, words] of [
  ["is refused", () => new Response("no such model", { status: 404 }), /404: no such model/],
  ["has no name", () => new Response(answerSdp, { status: 201 }), /missing Location/],
] as const) {
  test(`a call that ${what} is told of, and the thread goes on without it`, async () => {
    await using folder = await tempDir("quire-realtime-");
    await using endpoint = realtimeEndpoint({ call: response });
    const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
    await using _ = server;
    const thread = await server.client.thread({ ...unattended, cwd: folder.path });
    await start(server, thread, webrtc);
    await eventually(() => heard.length > 0);
    assert.deepEqual(names(heard), ["error"]);
    assert.match(heard[0]?.params.message, words);
    assert.equal((await server.client.turn(thread)).status, "completed");
  });
}

test("a call whose endpoint keeps silent can be given up", async () => {
  await using folder = await tempDir("quire-realtime-");
  const late = Promise.withResolvers<Response>();
  await using endpoint = realtimeEndpoint({ call: () => late.promise });
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await start(server, thread, webrtc);
  await eventually(() => endpoint.calls.length > 0);
  await server.client.request("thread/realtime/stop", { threadId: thread });
  await eventually(() => heard.length > 0);
  late.resolve(new Response(answerSdp, { status: 201, headers: { location: "/calls/rtc_1" } }));
  assert.equal((await server.client.turn(thread)).status, "completed");
  assert.deepEqual(names(heard), ["closed"]);
  assert.deepEqual(endpoint.sockets, []);
});

test("a call that the thread cannot join is told of: its work would reach nobody", async () => {
  await using folder = await tempDir("quire-realtime-");
  await using endpoint = realtimeEndpoint({ alone: true });
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  await start(server, thread, webrtc);
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
  assert.deepEqual(names(heard), ["item/completed", "started", "sdp", "error", "item/completed", "closed"]);
});
