import assert from "node:assert/strict";
import { test } from "node:test";
import { generateObject, generateText, Output, streamObject, streamText } from "ai";
import { z } from "zod";
import { all, fixture, type Started, sent } from "./fixture.ts";

const city = z.object({ name: z.string(), people: z.number() });

test("generateObject sends the schema to Codex and gives the object", async () => {
  await using it = await fixture();
  it.server.turn({ text: '{"name":"Oslo","people":700000}', chunks: 3 });
  const { object } = await generateObject({ model: it.codex(), schema: city, prompt: "Oslo" });
  assert.deepEqual(object, { name: "Oslo", people: 700_000 });
  const { outputSchema } = sent<Started>(it.server, "turn/start");
  assert.deepEqual([outputSchema?.additionalProperties, outputSchema?.required], [false, ["name", "people"]]);
});

test("what the schema makes optional may be null under the strict rules, and is left out of the object", async () => {
  await using it = await fixture();
  const schema = city.extend({ mayor: z.string().optional() });
  it.server.turn({ text: '{"name":"Oslo","people":7,"mayor":null}' });
  const { object } = await generateObject({ model: it.codex(), schema, prompt: "Oslo" });
  assert.deepEqual(object, { name: "Oslo", people: 7 });
  assert.deepEqual(sent<Started>(it.server, "turn/start").outputSchema?.required, ["name", "people", "mayor"]);
});

test("what the agent says on its way is no part of the object", async () => {
  await using it = await fixture();
  const message = { type: "agentMessage", text: "I look it up.", memoryCitation: null };
  const script = {
    items: [
      { type: "item", item: { ...message, id: "m1", phase: "commentary" } },
      { type: "command", command: "cat cities" },
    ],
    text: '{"name":"Oslo","people":7}',
  } as const;
  it.server.turn(script, script, { ...script, items: [{ type: "message", text: "No phase here." }] });
  const { object, reasoning } = await generateObject({ model: it.codex(), schema: city, prompt: "Oslo" });
  assert.equal(object.name, "Oslo");
  assert.equal(reasoning, "I look it up.");
  const streamed = streamObject({ model: it.codex(), schema: city, prompt: "Oslo" });
  assert.deepEqual((await all(streamed.partialObjectStream)).at(-1), { name: "Oslo", people: 7 });
  const last = await generateObject({ model: it.codex(), schema: city, prompt: "Oslo" });
  assert.equal(last.object.people, 7);
});

test("Output.object streams the object as it grows", async () => {
  await using it = await fixture();
  it.server.turn({ text: '{"name":"Oslo","people":7}', chunks: 8 });
  const result = streamText({ model: it.codex(), output: Output.object({ schema: city }), prompt: "Oslo" });
  const partial = await all(result.partialOutputStream);
  assert.ok(partial.length > 2);
  assert.deepEqual(partial.at(-1), { name: "Oslo", people: 7 });
});

test("an array is wrapped for Codex and unwrapped for the AI SDK", async () => {
  await using it = await fixture();
  it.server.turn({ text: '{"elements":[{"name":"Oslo","people":7}]}' });
  const { output } = await generateText({ model: it.codex(), output: Output.array({ element: city }), prompt: "All" });
  assert.deepEqual(output, [{ name: "Oslo", people: 7 }]);
});

test("a schema that strict mode cannot say is said in the prompt, with a warning", async () => {
  await using it = await fixture();
  it.server.turn({ text: '```json\n{"Oslo":7}\n```' });
  const schema = z.record(z.string(), z.number());
  const { object, warnings } = await generateObject({ model: it.codex(), schema, prompt: "All" });
  assert.deepEqual(object, { Oslo: 7 });
  assert.equal(warnings?.[0]?.type, "compatibility");
  const turn = sent<Started>(it.server, "turn/start");
  assert.equal(turn.outputSchema, undefined);
  assert.match(turn.input[1]?.text ?? "", /JSON that fits this schema.*additionalProperties/s);
});

test("JSON without a schema is asked for in words", async () => {
  await using it = await fixture();
  it.server.turn({ text: '{"any":"thing"}' });
  const { object } = await generateObject({ model: it.codex(), output: "no-schema", prompt: "Anything" });
  assert.deepEqual(object, { any: "thing" });
});
