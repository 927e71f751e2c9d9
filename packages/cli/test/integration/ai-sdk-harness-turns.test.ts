/** Turns of `HarnessAgent` on our server: permissions, tools, instructions and outputs, as the AI SDK asks for them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { slow } from "../support/quire.ts";
import { ofType, output, type Part, parts, run, skip, stage, textOf, tool, z } from "./harness-stage.ts";

const patch = (file: string, callId: string) =>
  reply().customToolCall("apply_patch", `*** Begin Patch\n*** Add File: ${file}\n+one\n*** End Patch`, { callId });

describe("HarnessAgent", { ...slow, skip }, () => {
  test("allow-edits lets files of the session's folder be changed, and asks for others", async () => {
    await using it = await stage("quire", { permissionMode: "allow-edits" });
    const session = await it.open();
    it.mock.script(patch("a.txt", "inside"), patch("../b.txt", "outside"), reply().text("One of them."));
    const asked = await parts(await it.agent.stream({ session, prompt: "Write" }));
    assert.ok(existsSync(join(it.cwd, "a.txt")));
    const [request] = ofType(asked, "tool-approval-request") as [Part & { toolCall: Part }];
    assert.match(JSON.stringify(request.toolCall.input), /b\.txt/);
    const no = [{ type: "tool-approval-response", approvalId: request.approvalId, approved: false }];
    const done = await parts(await it.agent.continueStream({ session, toolApprovalContinuations: no }));
    assert.equal(textOf(done), "One of them.");
    assert.ok(!existsSync(join(it.cwd, "..", "b.txt")));
  });

  test("by default nothing is asked, and what a command did is in the stream of its step", async () => {
    await using it = await stage("quire");
    const session = await it.open();
    it.mock.script(run("echo from the shell"), reply().text("It spoke."));
    const all = await parts(await it.agent.stream({ session, prompt: "Run" }));
    const steps = ofType(all, "finish-step");
    assert.deepEqual(
      steps.map(({ finishReason }) => finishReason),
      ["tool-calls", "stop"],
    );
    const [result] = ofType(all, "tool-result") as [Part];
    assert.match(JSON.stringify(result.output), /from the shell/);
    assert.ok(all.indexOf(result) < all.indexOf(steps[0] as Part));
  });

  test("a tool without a function waits for its result, which the model reads", async () => {
    const ask = tool?.({ description: "Asks the user", inputSchema: z?.object({ question: z.string() }) });
    await using it = await stage("quire", { tools: { ask } });
    const session = await it.open();
    it.mock.script(
      reply().functionCall("ask", { question: "Which?" }, { callId: "ask-1" }),
      reply().text("Blue, then."),
    );
    const asked = await parts(await it.agent.stream({ session, prompt: "Go" }));
    const [call] = ofType(asked, "tool-call") as [Part];
    assert.deepEqual([call.toolName, call.input], ["ask", { question: "Which?" }]);
    const toolCallId = String(call.toolCallId);
    const result = { type: "tool-result", toolCallId, toolName: "ask", output: { type: "text", value: "blue" } };
    const done = await parts(await it.agent.continueStream({ session, toolResultContinuations: [result] }));
    assert.equal(textOf(done), "Blue, then.");
    assert.deepEqual(
      it.mock.last.functionOutputs().map(({ output: text }) => text),
      ["blue"],
    );
  });

  test("instructions and skills of a later turn reach the model", async () => {
    const skills = [{ name: "rhyme", description: "Makes rhymes", content: "End each line alike." }];
    await using it = await stage("quire", {
      instructions: "Be brief.",
      skills,
      prepareCall: ({ options: _, ...rest }: { options: unknown; prompt?: string }) =>
        rest.prompt === "Second" ? { ...rest, instructions: "Be long.", skills: [] } : rest,
    });
    const session = await it.open();
    it.mock.script(reply().text("One."), reply().text("Two."));
    await parts(await it.agent.stream({ session, prompt: "First" }));
    assert.match(it.mock.last.inputText("developer"), /Be brief\.[\s\S]*rhyme[\s\S]*End each line alike\./);
    assert.doesNotMatch(it.mock.last.inputText("developer"), /Be long/);
    await parts(await it.agent.stream({ session, prompt: "Second" }));
    assert.match(it.mock.last.inputText("developer"), /Be long\./);
  });

  test("an output is typed JSON by its schema", async () => {
    const city = output?.object({ schema: z?.object({ name: z.string(), mayor: z.string().optional() }) });
    await using it = await stage("quire", { output: city });
    const session = await it.open();
    it.mock.script(reply().text('{"name":"Oslo","mayor":null}'));
    const result = await it.agent.stream({ session, prompt: "Oslo" });
    assert.deepEqual(await result.output, { name: "Oslo" });
  });

  test("a message that is sent while the turn runs joins it", async () => {
    await using it = await stage("quire");
    const session = await it.open();
    const hold = gate();
    it.mock.script(reply().text(["Begun ", hold, "and on."]), reply().text("Hurried."));
    const result = await it.agent.stream({ session, prompt: "Go" });
    let said = "";
    for await (const part of result.fullStream) {
      if (part.type !== "text-delta") continue;
      said += part.text;
      if (said === "Begun ") {
        await it.agent.experimental_steer({ session, text: "Hurry" });
        hold.open();
      }
    }
    assert.match(it.mock.last.inputText(), /Hurry/);
    assert.match(said, /Hurried\.$/);
  });

  test("a session is compacted, which the next stream shows", async () => {
    await using it = await stage("quire");
    const session = await it.open();
    it.mock.script(reply().text("Long talk."), reply().text("A summary."), reply().text("Short."));
    await parts(await it.agent.stream({ session, prompt: "Talk" }));
    await session.compact();
    const all = await parts(await it.agent.stream({ session, prompt: "And now?" }));
    assert.equal(textOf(all), "Short.");
    const compaction = all.find(({ type, toolName }) => type === "tool-result" && toolName === "compaction");
    assert.deepEqual(compaction?.output, { trigger: "manual", summary: "" });
    assert.doesNotMatch(it.mock.last.inputText(), /Long talk\./);
  });

  test("pictures and text files of a prompt reach the model", async () => {
    await using it = await stage("quire");
    const session = await it.open();
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const content = [
      { type: "text", text: "Look" },
      { type: "image", image: Buffer.from(pixel, "base64"), mediaType: "image/png" },
      { type: "file", data: Buffer.from("the notes"), mediaType: "text/plain", filename: "notes.txt" },
    ];
    it.mock.script(reply().text("Seen."));
    const all = await parts(await it.agent.stream({ session, messages: [{ role: "user", content }] }));
    assert.equal(textOf(all), "Seen.");
    assert.match(it.mock.last.inputText(), /Look[\s\S]*notes\.txt:\s+the notes/);
    assert.ok(JSON.stringify(it.mock.last.body.input).includes(`data:image/png;base64,${pixel}`));
  });
});
