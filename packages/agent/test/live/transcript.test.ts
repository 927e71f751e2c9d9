import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, markdown, Session, ToolResult, type TranscriptEntry, tool } from "@quire/agent";
import { reply } from "@quire/testkit";
import { hello } from "../support/stage.ts";
import { onEachTarget, sharedBy } from "./targets.ts";

const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok({ pong: true }) });
const pinging = definePrompt({
  ns: "live",
  key: "p",
  sections: [markdown({ key: "a", title: "A", template: "Ping.", tools: [ping] })],
});
const types = (entries: readonly TranscriptEntry[]) => entries.map(({ entryType }) => entryType);
const details = (entries: readonly TranscriptEntry[], type: string) =>
  entries.filter(({ entryType }) => entryType === type).map(({ detail }) => detail);

await onEachTarget("11.16: transcript", [], (target) => {
  const server = sharedBy(target);

  test("transcript: it begins with a start and ends with a stop that counts", async () => {
    const live = server();
    const { transcript } = await live.agent().evaluate(hello.bind());
    assert.equal(transcript[0]?.detail?.event, "transcript/start");
    const last = transcript.at(-1);
    assert.equal(last?.detail?.event, "transcript/stop");
    assert.equal(last?.detail?.outcome, "completed");
    const counts = last?.detail?.counts as Record<string, number>;
    assert.equal(
      Object.values(counts).reduce((sum, each) => sum + each),
      transcript.length - 1,
    );
  });

  test("transcript: entries are numbered without gaps, and name prompt, session and time", async () => {
    const live = server();
    const session = new Session();
    const { transcript } = await live.agent().evaluate(hello.bind(), { session });
    assert.deepEqual(
      transcript.map(({ sequenceNumber }) => sequenceNumber),
      transcript.map((_, index) => index + 1),
    );
    for (const { promptName, adapter, source, timestamp, sessionId } of transcript) {
      assert.deepEqual(
        [promptName, adapter, source, sessionId],
        ["test:hello", "codex_app_server", "main", session.id],
      );
      assert.ok(!Number.isNaN(Date.parse(timestamp)));
    }
  });

  test("transcript: what the user and the model said", async () => {
    const live = server();
    live.model.script(reply().text("Hello you.", { chunks: 4 }));
    const { transcript } = await live.agent().evaluate(hello.bind());
    assert.equal(details(transcript, "user").length, 1);
    assert.deepEqual(
      details(transcript, "assistant").map((detail) => detail?.text),
      ["Hello you."],
    );
  });

  test("transcript: calls of the prompt's own tools", async () => {
    const live = server();
    live.model.script(reply().functionCall("ping", {}, { callId: "call-1" }), reply().text("Done."));
    const { transcript } = await live.agent().evaluate(pinging.bind());
    assert.deepEqual(details(transcript, "toolUse"), [{ tool: "ping", callId: "call-1", arguments: {} }]);
    assert.deepEqual(details(transcript, "toolResult"), [{ tool: "ping", callId: "call-1", success: true }]);
  });

  test("transcript: calls of the agent's own tools", async () => {
    const live = server();
    live.model.script(
      reply().functionCall("exec_command", { cmd: "printf out" }, { callId: "call-1" }),
      reply().text("Done."),
    );
    const { transcript } = await live.agent().evaluate(hello.bind());
    assert.equal(details(transcript, "toolUse")[0]?.item, "commandExecution");
    const [result] = details(transcript, "toolResult");
    assert.deepEqual([result?.id, result?.exitCode, result?.status], ["call-1", 0, "completed"]);
    assert.match(String(result?.aggregatedOutput), /out/);
  });

  test("transcript: thoughts and tokens", async () => {
    const live = server();
    live.model.script(reply().reasoning(["Let me see"]).text("Done."));
    const { transcript } = await live.agent().evaluate(hello.bind());
    assert.equal(details(transcript, "thinking").length, 1);
    assert.equal(details(transcript, "tokenUsage").length, 1);
  });

  test("transcript: a failure is written down, and it stops all the same", async () => {
    const live = server();
    live.model.script(reply().failed("context_length_exceeded", "too long"));
    const entries: TranscriptEntry[] = [];
    const failing = live.agent().evaluate(hello.bind(), { onTranscript: (entry) => void entries.push(entry) });
    await assert.rejects(failing);
    assert.ok(details(entries, "error").length >= 1);
    assert.equal(entries.at(-1)?.detail?.outcome, "failed");
  });

  test("transcript: messages as they came are in it, or not", async () => {
    const live = server();
    const withRaw = await live.agent().evaluate(hello.bind());
    assert.ok(
      withRaw.transcript.some(({ raw }) => (raw as { method?: string } | undefined)?.method === "item/completed"),
    );
    const without = await live.agent({ client: { transcriptRaw: false } }).evaluate(hello.bind());
    assert.ok(without.transcript.length > 3 && without.transcript.every(({ raw }) => raw === undefined));
  });

  test("transcript: pieces of texts are left out, and all of it can be", async () => {
    const live = server();
    live.model.script(reply().text("In many pieces.", { chunks: 9 }));
    const { transcript } = await live.agent().evaluate(hello.bind());
    assert.ok(!transcript.some(({ raw }) => /delta$/i.test((raw as { method?: string } | undefined)?.method ?? "")));
    assert.equal(types(transcript).filter((type) => type === "assistant").length, 1);
    const heard: TranscriptEntry[] = [];
    const off = live.agent({ client: { transcript: false } });
    const { transcript: none } = await off.evaluate(hello.bind(), { onTranscript: (entry) => void heard.push(entry) });
    assert.deepEqual([none, heard], [[], []]);
  });
});
