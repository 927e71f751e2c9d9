import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchema, type Tool, tool, WithdrawnError } from "@quire/client";
import { toolSpecs } from "@quire/client/tools";
import { type Gate, gate, isWithin, type RecordedRequest, reply } from "@quire/testkit";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { sharedServer } from "./shared-server.ts";
import { onEachCodex, spawned } from "./support.ts";

/** One pixel, since newer servers look into images. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";

const objectWithCity = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const description = "Says where it is";
const byLibrary: Record<string, Tool> = {
  zod: tool({
    name: "with_zod",
    description,
    input: z.object({ city: z.string() }),
    run: ({ city }) => `${city} by zod`,
  }),
  valibot: tool({
    name: "with_valibot",
    description,
    input: v.object({ city: v.string() }),
    run: ({ city }) => `${city} by valibot`,
  }),
  arktype: tool({
    name: "with_arktype",
    description,
    input: type({ city: "string" }),
    run: ({ city }) => `${city} by arktype`,
  }),
  "JSON Schema": tool({
    name: "with_json",
    description,
    input: jsonSchema<{ city: string }>(objectWithCity),
    run: ({ city }) => `${city} by json`,
  }),
};

/** A tool without arguments. */
const plain = (name: string, run: Tool["run"]) => tool({ name, description, input: z.object({}), run });

/** What a call gave the model, with the parts that are no text. */
const outputOf = (request: RecordedRequest | undefined, callId: string): unknown =>
  request?.body.input.find((item) => item.call_id === callId && item.output !== undefined)?.output;

await onEachCodex("dynamic tools", "0.98.0", (version) => {
  // Tools belong to their thread.
  const server = sharedServer(version);

  for (const [library, each] of Object.entries(byLibrary)) {
    const { name } = each;

    test(`a tool with ${library} input gets what the model sends, and the model what it gives`, async () => {
      const { mock, client } = server();
      mock.script(
        reply().functionCall(name, { city: "Oslo" }, { callId: "good" }),
        reply().functionCall(name, { city: 5 }, { callId: "bad" }),
        reply().text("Now I know."),
      );
      const thread = await client.thread({ tools: [each] });
      const { agentMessage, items } = await thread.run("where?");
      assert.equal(agentMessage, "Now I know.");
      const offered = mock.last?.tool(name) as { description?: string; parameters?: object } | undefined;
      assert.equal(offered?.description, description);
      assert.deepEqual(
        { ...offered?.parameters, additionalProperties: undefined },
        {
          ...objectWithCity,
          additionalProperties: undefined,
        },
      );
      assert.match(mock.last?.functionOutput("good") ?? "", /^Oslo by /);
      // What does not fit is told to the model, which can then do better; the tool is not run with it.
      assert.match(
        mock.last?.functionOutput("bad") ?? "",
        new RegExp(`Invalid arguments for tool "${name}":\\n- city: `),
      );
      const fates = items.flatMap((item) => (item.type === "dynamicToolCall" ? [item.success] : []));
      assert.deepEqual(
        fates,
        isWithin(version, { since: "0.106.0" }) ? [true, false] : [],
        "0.105 and earlier make no items of these calls",
      );
    });
  }

  test("what a tool throws is told to the model, and the turn goes on", async () => {
    const { mock, client } = server();
    const fails = plain("fails", () => Promise.reject(new Error("the line is busy")));
    mock.script(reply().functionCall("fails", {}, { callId: "call-1" }), reply().text("I will call later."));
    const { agentMessage } = await (await client.thread({ tools: [fails] })).run("call them");
    assert.equal(agentMessage, "I will call later.");
    assert.equal(mock.last?.functionOutput("call-1"), "the line is busy");
  });

  test("a tool that nobody serves is refused by name: nothing hangs", async () => {
    const { mock, client } = server();
    const declared = await toolSpecs([plain("orphan", () => "never run")], version);
    const { thread } = await client.request("thread/start", { dynamicTools: declared });
    mock.script(
      reply().functionCall("orphan", {}, { callId: "orphan" }).functionCall("unheard_of", {}, { callId: "unheard-of" }),
      reply().text("Neither, then."),
    );
    assert.equal((await client.handle(thread.id).run("go")).agentMessage, "Neither, then.");
    assert.match(mock.last?.functionOutput("orphan") ?? "", /Unsupported dynamic tool "orphan"/);
    assert.match(mock.last?.functionOutput("unheard-of") ?? "", /unsupported call: unheard_of/);
  });

  test("images and values reach the model as they are", async () => {
    const { mock, client } = server();
    const tools = [
      plain("look", () => [
        { type: "text", text: "Here:" },
        { type: "image", data: new Uint8Array(Buffer.from(png, "base64")), mimeType: "image/png" },
      ]),
      plain("measure", () => ({ width: 1, height: 1 })),
    ];
    mock.script(
      reply().functionCall("look", {}, { callId: "look" }),
      reply().functionCall("measure", {}, { callId: "measure" }),
      reply().text("A pixel."),
    );
    await (await client.thread({ tools })).run("what is it?");
    const [text, image] = outputOf(mock.last, "look") as { type: string; text?: string; image_url?: string }[];
    assert.deepEqual([text?.type, text?.text, image?.type], ["input_text", "Here:", "input_image"]);
    assert.match(image?.image_url ?? "", /^data:image\/png;base64,iVBOR/);
    assert.deepEqual(JSON.parse(mock.last?.functionOutput("measure") ?? ""), { width: 1, height: 1 });
  });

  test("a tool's signal is aborted when its turn is interrupted, and the thread works on", async () => {
    const { mock, client } = server();
    const running = gate();
    const stopped = gate();
    let reason: unknown;
    const waits = plain("waits", (_, { signal }) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        stopped.open();
      });
      running.open();
      return new Promise(() => {});
    });
    mock.script(reply().functionCall("waits", {}, { callId: "call-1" }));
    const thread = await client.thread({ tools: [waits] });
    const turn = thread.run("go");
    await running;
    await turn.interrupt();
    assert.equal((await turn).status, "interrupted");
    await stopped;
    assert.ok(reason instanceof WithdrawnError);
    mock.script(reply().text("back to work"));
    assert.equal((await thread.run("next")).agentMessage, "back to work");
  });

  test("calls run at the same time: in two threads, and in one response where the server sends them so", async () => {
    const { mock, client } = server();
    const [here, there] = [gate(), gate()];
    // Each ends only after the other has begun.
    const meet = (mine: Gate, other: Gate) => async () => {
      mine.open();
      await other;
      return "met";
    };
    const tools = [plain("here", meet(here, there)), plain("there", meet(there, here))];
    // Up to 0.160, Codex runs the calls of one response one after the other.
    if (isWithin(version, { since: "0.166.0" })) {
      const both = reply()
        .functionCall("here", {}, { callId: "call-1" })
        .functionCall("there", {}, { callId: "call-2" });
      mock.script(both, reply().text("They met."));
      await (await client.thread({ tools })).run("go");
      const outputs = mock.last?.functionOutputs().map(({ callId, output }) => `${callId} ${output}`);
      assert.deepEqual(outputs, ["call-1 met", "call-2 met"], "in the order of the calls, whichever ends first");
      return;
    }
    const meeting = ["here", "there"].map(async (name) => {
      const isNew = (request: RecordedRequest) => request.lastUserText === name && !outputOf(request, name);
      mock.when(isNew).reply(reply().functionCall(name, {}, { callId: name }));
      await (await client.thread({ tools })).run(name);
    });
    await Promise.all(meeting);
    const meetings = mock.requests.filter(({ lastUserText }) => lastUserText === "here" || lastUserText === "there");
    const outputs = meetings.flatMap((request) => request.functionOutputs()).map(({ output }) => output);
    assert.deepEqual(outputs, ["met", "met"]);
  });
});

await onEachCodex("dynamic tools in a namespace", "0.141.0", (version) => {
  test("tools of the same name in two namespaces are kept apart", async () => {
    await using fixture = await spawned(version);
    const { mock, client } = fixture;
    const say = (namespace: string) =>
      tool({ name: "say", namespace, description, input: z.object({}), run: () => `by ${namespace}` });
    mock.script(
      reply().functionCall("say", {}, { callId: "call-1", namespace: "east" }),
      reply().functionCall("say", {}, { callId: "call-2", namespace: "west" }),
      reply().text("Both."),
    );
    await (await client.thread({ tools: [say("east"), say("west")] })).run("go");
    assert.ok(mock.requests[0]?.tools().includes("west.say"));
    assert.equal(mock.last?.functionOutput("call-1"), "by east");
    assert.equal(mock.last?.functionOutput("call-2"), "by west");
  });
});
