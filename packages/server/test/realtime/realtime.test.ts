import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, gate, reply, tempDir } from "@quire/testkit";
import { type Scripted, scripted } from "../support/scripted.ts";
import { realtimeEndpoint } from "./endpoint.ts";

interface Heard {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was told
  readonly params: any;
}

const told = ["started", "error", "closed", "transcript/done", "item/completed"].map(
  (name) => `thread/realtime/${name}`,
);

/** A server whose voices are at an endpoint, and what it tells of them. */
async function voiced(home: string, url: string): Promise<{ server: Scripted; heard: Heard[] }> {
  const server = await scripted(home, { OPENAI_API_KEY: "sk-test" });
  await server.rpc.request("config/value/write", {
    keyPath: "experimental_realtime_ws_base_url",
    value: url,
    mergeStrategy: "replace",
  });
  const heard: Heard[] = [];
  for (const method of told) server.rpc.on(method, (params) => void heard.push({ method, params }));
  return { server, heard };
}

const start = ({ rpc }: Scripted, threadId: string) =>
  rpc.request("thread/realtime/start", { threadId, outputModality: "audio" });

test("an endpoint that cannot be reached, or goes away, ends the voice and not the thread", async () => {
  await using folder = await tempDir("quire-realtime-");
  const endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.thread({ cwd: folder.path });
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  await endpoint[Symbol.asyncDispose]();
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
  heard.length = 0;
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/error")));
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
  assert.equal((await server.turn(thread)).status, "completed");
});

test("work that a voice delegates while the agent is at work changes the turn that runs", async () => {
  await using folder = await tempDir("quire-realtime-");
  await using endpoint = realtimeEndpoint();
  const { server, heard } = await voiced(join(folder.path, "home"), endpoint.url);
  await using _ = server;
  const thread = await server.thread({ cwd: folder.path });
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  const held = gate();
  server.model.script(reply().text("at it").gate(held), reply().text("changed course"));
  const ended = server.turn(thread);
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
  const thread = await server.thread({ cwd: folder.path });
  await server.turn(thread);
  await start(server, thread);
  await eventually(() => heard.some(({ method }) => method.endsWith("/started")));
  await server.rpc.request("thread/archive", { threadId: thread });
  await eventually(() => heard.some(({ method }) => method.endsWith("/closed")));
});
