import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { jsonSchema, tool } from "@quire/client";
import { SessionError } from "@quire/orchestrator";
import { codexVersion } from "@quire/protocol/version";
import {
  codexConfigToml,
  type MockResponses,
  mockResponses,
  realCodex,
  reply,
  skipWithoutCodex,
  tempDir,
} from "@quire/testkit";
import { sessionStage } from "../support/session.ts";

/** A server to run sessions on: its command and environment. */
interface Server extends AsyncDisposable {
  readonly command: string;
  readonly env: Record<string, string>;
}

const quire = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

async function ours(mock: MockResponses): Promise<Server> {
  const dir = await tempDir();
  const home = join(dir.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.toml"), codexConfigToml({ baseUrl: mock.url }));
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, QUIRE_HOME: home };
  return { command: `'${quire}' app-server`, env, [Symbol.asyncDispose]: () => dir.remove() };
}

async function codex(mock: MockResponses): Promise<Server> {
  const real = await realCodex(codexVersion, { model: mock });
  // A login shell sets PATH anew; the helpers beside the binary are found by it.
  const command = `PATH='${real.env.PATH}' '${real.command}' app-server`;
  return { command, env: real.env, [Symbol.asyncDispose]: () => real[Symbol.asyncDispose]() };
}

for (const [name, make, skip] of [
  ["quire app-server", ours, false],
  ["codex app-server 0.166.0", codex, await skipWithoutCodex(codexVersion)],
] as const) {
  describe(`a session with ${name}`, { skip }, () => {
    test("runs two turns on one thread in the workspace, with a tool of ours, and counts tokens", async () => {
      await using mock = await mockResponses();
      await using server = await make(mock);
      const calls: unknown[] = [];
      const move = tool<{ state: string }>({
        name: "tracker_update",
        description: "Moves the issue",
        input: jsonSchema<{ state: string }>({
          type: "object",
          properties: { state: { type: "string" } },
          required: ["state"],
        }),
        run: (input) => {
          calls.push(input);
          return { moved: true };
        },
      });
      mock.script(
        reply().functionCall("exec_command", { cmd: "pwd" }),
        reply().functionCall("tracker_update", { state: "Done" }).usage({ input: 100, output: 7 }),
        reply().text("Done."),
        reply().text("Again."),
      );
      await using stage = await sessionStage({
        options: server,
        codex: { readTimeoutMs: 60_000 },
        tools: [move as never],
      });
      const session = await stage.start();
      assert.equal(await session.runTurn("Do it"), "Done.");
      assert.equal(await session.runTurn("More"), "Again.");
      assert.deepEqual(calls, [{ state: "Done" }]);
      assert.match(JSON.stringify(mock.requests.at(1)?.body.input), new RegExp(stage.workspace.replaceAll("/", "\\/")));
      assert.equal(new Set(stage.ids.map(([thread]) => thread)).size, 1);
      assert.equal(new Set(stage.ids.map(([, turn]) => turn)).size, 3);
      assert.ok(stage.told.tokens.totalTokens >= 107);
      assert.ok(stage.kinds().includes("tool_call"));
      assert.equal(stage.kinds().includes("malformed"), false);
    });

    test("goes on with the thread of an earlier process, knows what was said, and counts only what is new", async () => {
      await using mock = await mockResponses();
      await using server = await make(mock);
      mock.script(
        reply().text("First.").usage({ input: 100, output: 7 }),
        reply().text("Second.").usage({ input: 200, output: 5 }),
      );
      await using stage = await sessionStage({ options: server, codex: { readTimeoutMs: 60_000 } });
      const first = await stage.start();
      await first.runTurn("Do it");
      const { threadId } = first;
      await first.close();
      assert.equal(stage.told.tokens.totalTokens, 107);
      const second = await stage.start({ resume: threadId });
      assert.deepEqual([second.isResumed, second.threadId], [true, threadId]);
      assert.equal(await second.runTurn("It needs changes"), "Second.");
      const input = JSON.stringify(mock.requests.at(-1)?.body.input);
      for (const words of ["Do it", "First.", "It needs changes"]) assert.ok(input.includes(words), words);
      assert.equal(stage.told.tokens.totalTokens, 107 + 205);
    });

    test("starts a new thread in place of one that the server does not have", async () => {
      await using mock = await mockResponses();
      await using server = await make(mock);
      mock.script(reply().text("Done."));
      await using stage = await sessionStage({ options: server, codex: { readTimeoutMs: 60_000 } });
      const session = await stage.start({ resume: "019a0000-0000-7000-8000-000000000000" });
      assert.equal(session.isResumed, false);
      assert.equal(await session.runTurn("Do it"), "Done.");
      assert.ok(stage.events.some(({ message }) => /A new thread takes the place of/.test(message)));
    });

    test("a turn that fails is a turn_failed with what the model's server said", async () => {
      await using mock = await mockResponses();
      await using server = await make(mock);
      mock.script(reply().failed("context_length_exceeded", "too long"));
      await using stage = await sessionStage({ options: server, codex: { readTimeoutMs: 60_000 } });
      const session = await stage.start();
      await assert.rejects(
        session.runTurn("Do it"),
        (error) => error instanceof SessionError && error.code === "turn_failed",
      );
    });

    test("an approval that the policy leaves to a person ends the run as approval_required", async () => {
      await using mock = await mockResponses();
      await using server = await make(mock);
      mock.script(
        reply().functionCall("exec_command", {
          cmd: "touch made",
          sandbox_permissions: "require_escalated",
          justification: "May I?",
        }),
      );
      await using stage = await sessionStage({
        options: server,
        codex: { readTimeoutMs: 60_000, approvalPolicy: "on-request" },
      });
      const session = await stage.start();
      await assert.rejects(
        session.runTurn("Do it"),
        (error) => error instanceof SessionError && error.code === "approval_required",
      );
    });
  });
}
