/** OpenAI's own SDK, which starts `codex exec`, on our command. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertNoProcesses, eventually, reply } from "@quire/testkit";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { patient, stage, stepMs } from "./support/stage.ts";

const name = "@openai/codex-sdk";

interface Thread {
  readonly id: string | null;
  run(input: string, options?: object): Promise<{ finalResponse: string; items: { type: string }[] }>;
  runStreamed(input: string): Promise<{ events: AsyncIterable<{ type: string }> }>;
}

interface Codex {
  startThread(options: object): Thread;
  resumeThread(id: string, options: object): Thread;
}

describe(name, { skip: skipWithoutClient(name) }, () => {
  test("a program runs turns, reads structured output, resumes its thread, and aborts a turn", patient, async () => {
    await using set = await stage();
    const { Codex } = (await import(pathToFileURL(clientFile(name) ?? "").href)) as {
      Codex: new (options: object) => Codex;
    };
    const codex = new Codex({ codexPathOverride: set.codex, env: { ...set.env } });
    const options = { workingDirectory: set.cwd, skipGitRepoCheck: true, sandboxMode: "workspace-write" };
    const thread = codex.startThread({ ...options, model: "other", modelReasoningEffort: "high" });
    set.mock.script(reply().functionCall("exec_command", { cmd: "echo ran > ran.txt" }), reply().text("It ran."));
    const { finalResponse, items } = await thread.run("run it");
    assert.equal(finalResponse, "It ran.");
    assert.deepEqual(
      items.map(({ type }) => type),
      ["command_execution", "agent_message"],
    );
    assert.ok(existsSync(join(set.cwd, "ran.txt")));
    assert.equal(set.last.body.model, "other");

    set.mock.script(reply().text('{"answer":3}'));
    const outputSchema = { type: "object", properties: { answer: { type: "number" } }, required: ["answer"] };
    assert.equal((await thread.run("how many", { outputSchema })).finalResponse, '{"answer":3}');
    assert.ok(set.last.inputText("assistant").includes("It ran."), "the thread goes on");

    const resumed = codex.resumeThread(thread.id ?? "", options);
    const types: string[] = [];
    for await (const { type } of (await resumed.runStreamed("and again")).events) types.push(type);
    assert.deepEqual(types, ["thread.started", "turn.started", "item.completed", "turn.completed"]);

    set.mock.script(reply().failed("server_error", "boom"));
    await assert.rejects(resumed.run("this fails"), /boom/);

    set.mock.script(reply().functionCall("exec_command", { cmd: "touch begun; sleep 60", yield_time_ms: 30_000 }));
    const abort = new AbortController();
    const run = resumed.run("wait", { signal: abort.signal });
    await Promise.race([run, eventually(() => existsSync(join(set.cwd, "begun")), { timeoutMs: stepMs })]);
    abort.abort();
    await assert.rejects(run, /abort/i);
    await assertNoProcesses({ tag: set.tag });
  });
});
