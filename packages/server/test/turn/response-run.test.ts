/** Items of a model that does not keep to the order of events: each begins once and ends once, and is remembered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ThreadItem, Turn } from "@quire/protocol";
import { type Reply, reply } from "@quire/testkit";
import { testServer, unattended } from "../support/test-server.ts";

/** A message as the model has it; without an id where none is given. */
const message = (id: string | undefined, text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
  ...(id !== undefined && { id }),
});
const added = (item: object) => ["response.output_item.added", { item }] as const;
const done = (item: object) => ["response.output_item.done", { item }] as const;
const delta = (text: string, itemId?: string) =>
  ["response.output_text.delta", { delta: text, ...(itemId !== undefined && { item_id: itemId }) }] as const;

type Event = readonly [string, object];

function events(...all: readonly Event[]): Reply {
  return all.reduce((made, [type, fields]) => made.event(type, { ...fields }), reply());
}

/** What clients saw of one turn, and what the model is sent afterwards of its own words. */
async function seen(said: Reply, mode: "default" | "plan" = "default") {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const collaborationMode = { mode, settings: { model: "mock-model" } };
  await server.client.request("thread/settings/update", { threadId, collaborationMode });
  const lives: string[][] = [];
  const note = (kind: string) => (params: unknown) => {
    const { item } = params as { item: ThreadItem };
    if (item.type === "agentMessage") lives.push([kind, item.id, ...(kind === "completed" ? [item.text] : [])]);
  };
  server.client.on("item/started", note("started"));
  server.client.on("item/agentMessage/delta", (params) => {
    const { itemId, delta } = params as { itemId: string; delta: string };
    lives.push(["delta", itemId, delta]);
  });
  server.model.script(said, reply().text("fine"));
  const turn: Turn = await server.client.turn(threadId);
  for (const item of server.client.items) note("completed")({ item });
  const shown = [...lives];
  assert.equal((await server.client.turn(threadId)).status, "completed");
  const history = server.model.last.body.input
    .filter(({ role }) => role === "assistant")
    .map(({ content }) => (content as { text: string }[]).map(({ text }) => text).join());
  return { turn, shown, history, kept: server.model.last.body.input };
}

for (const mode of ["default", "plan"] as const) {
  const cases: readonly (readonly [string, readonly Event[], string | undefined])[] = [
    [
      "no ids at all",
      [added(message(undefined, "")), delta("hel"), delta("lo"), done(message(undefined, "hello"))],
      undefined,
    ],
    ["an empty id", [added(message("", "")), delta("hello", ""), done(message("", "hello"))], undefined],
    ["another id at its end", [added(message("a", "")), delta("hello", "a"), done(message("b", "hello"))], "a"],
    ["words before it was announced", [delta("hello"), done(message("b", "hello"))], undefined],
    ["words after its end", [added(message("a", "")), done(message("a", "hello")), delta("late", "a")], "a"],
    ["no end", [added(message("a", "")), delta("hello", "a")], "a"],
  ];
  for (const [what, said, id] of cases) {
    test(`a message with ${what} is shown once, whole, and remembered (${mode} mode)`, async () => {
      const { turn, shown, history } = await seen(events(...said), mode);
      assert.equal(turn.status, "completed");
      const [first, ...more] = shown;
      assert.equal(first?.[0], "started");
      assert.ok(first[1] !== "" && (id === undefined || first[1] === id), first[1]);
      assert.deepEqual(more.at(-1), ["completed", first[1], "hello"]);
      assert.deepEqual(new Set(more.slice(0, -1).map(([kind, of]) => `${kind} ${of}`)).size, more.length > 1 ? 1 : 0);
      assert.deepEqual(history, ["hello"]);
    });
  }
}

test("items that lack what makes them one are passed over, now and in every later request", async () => {
  const broken = [
    { type: "message", role: "assistant", id: "m1" },
    { type: "message", role: "assistant", id: "m2", content: null },
    { type: "reasoning", id: "r1" },
    { type: "reasoning", id: "r2", summary: [null] },
    { type: "function_call", name: "exec_command", arguments: '{"cmd":"true"}' },
    { type: "function_call", name: "exec_command", call_id: "c1" },
    { type: "function_call", name: "exec_command", call_id: "c2", arguments: { cmd: "true" } },
    { type: "custom_tool_call", name: "apply_patch", call_id: "c3" },
  ];
  const { turn, history, kept } = await seen(events(...broken.map(done), done(message("whole", "hello"))));
  assert.equal(turn.status, "completed");
  assert.deepEqual(history, ["hello"]);
  for (const type of ["reasoning", "function_call", "function_call_output", "custom_tool_call"]) {
    assert.ok(!kept.some((item) => item.type === type), type);
  }
});

test("thoughts at a place that there cannot be do not fill the memory, and have no holes", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const at = (index: number): Event => [
    "response.reasoning_summary_text.delta",
    { item_id: "r", summary_index: index, delta: "x" },
  ];
  server.model.script(events(added({ type: "reasoning", id: "r", summary: [] }), at(2), at(4e9), at(-1), at(0.5)));
  assert.equal((await server.client.turn(threadId)).status, "completed");
  const [item] = server.client.items.filter(({ type }) => type === "reasoning");
  const summary = (item as { summary: string[] }).summary;
  assert.deepEqual(summary.slice(0, 3), ["xx", "", "x"]);
  assert.ok(summary.length <= 1000 && summary.every((part) => typeof part === "string"));
});
