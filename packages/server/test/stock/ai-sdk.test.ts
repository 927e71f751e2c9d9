/** Programs on the AI SDK use our server through the provider that they use for Codex. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { eventually, reply } from "@quire/testkit";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { patient, quire, type Stage, stage, stepMs } from "./support/stage.ts";

const name = "ai-sdk-provider-codex-cli";

interface StreamPart {
  readonly type: string;
  readonly delta?: string;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

interface Provider {
  (
    model: string,
  ): {
    doStream(options: {
      prompt: { role: "user"; content: { type: "text"; text: string }[] }[];
      abortSignal?: AbortSignal;
      providerOptions?: Record<string, Record<string, unknown>>;
    }): Promise<{ stream: AsyncIterable<StreamPart> }>;
  };
  listModels(): Promise<{ models: readonly { id: string }[] }>;
  close(): Promise<void>;
}

/** What a program does with its answer to an approval. */
type Decide = (request: { params: { command?: string } }) => Promise<{ decision: string }>;

async function open({ env, cwd }: Stage, decide: Decide): Promise<Provider & AsyncDisposable> {
  const { createCodexAppServer } = (await import(pathToFileURL(clientFile(name) ?? "").href)) as {
    createCodexAppServer(options: object): Provider;
  };
  const provider = createCodexAppServer({
    defaultSettings: {
      codexPath: quire,
      cwd,
      env,
      logger: false,
      threadMode: "persistent",
      requestTimeoutMs: stepMs,
      serverRequests: { onCommandExecutionApproval: decide },
    },
  });
  return Object.assign(provider, { [Symbol.asyncDispose]: () => provider.close() });
}

const prompt = (text: string) => [{ role: "user" as const, content: [{ type: "text" as const, text }] }];

async function all(stream: AsyncIterable<StreamPart>): Promise<{ text: string; parts: StreamPart[] }> {
  const parts: StreamPart[] = [];
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    parts.push(part);
  }
  return { parts, text: parts.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("") };
}

describe(name, { skip: skipWithoutClient(name) }, () => {
  test(
    "a program streams an answer, decides over a command, goes on with its thread, and aborts a turn",
    patient,
    async () => {
      await using set = await stage();
      const asked: string[] = [];
      await using provider = await open(set, async ({ params }) => {
        asked.push(params.command ?? "");
        return { decision: "accept" };
      });
      const model = provider("mock-model");
      set.mock.script(reply().text("Good morning.", { chunks: 4 }));
      const first = await all((await model.doStream({ prompt: prompt("hello") })).stream);
      assert.equal(first.text, "Good morning.");
      const finish = first.parts.find(({ type }) => type === "finish") as unknown as {
        providerMetadata: { "codex-app-server": { threadId: string } };
      };
      const { threadId } = finish.providerMetadata["codex-app-server"];

      const command = { cmd: "echo ran > ran.txt", sandbox_permissions: "require_escalated", justification: "why" };
      set.mock.script(reply().functionCall("exec_command", command), reply().text("It ran."));
      const providerOptions = { "codex-app-server": { threadId } };
      const second = await all((await model.doStream({ prompt: prompt("run it"), providerOptions })).stream);
      assert.equal(second.text, "It ran.");
      assert.equal(asked.length, 1);
      assert.ok(existsSync(join(set.cwd, "ran.txt")));
      assert.ok(set.last.inputText("assistant").includes("Good morning."), "the thread goes on");

      const slow = { cmd: "touch begun; sleep 60", yield_time_ms: 30_000 };
      set.mock.script(reply().functionCall("exec_command", slow));
      const abort = new AbortController();
      const { stream } = await model.doStream({ prompt: prompt("wait"), abortSignal: abort.signal, providerOptions });
      const ended = all(stream).catch((error: unknown) => error);
      await eventually(() => existsSync(join(set.cwd, "begun")), { timeoutMs: stepMs });
      abort.abort();
      await ended;

      set.mock.script(reply().text("Here again."));
      const last = await all((await model.doStream({ prompt: prompt("are you there"), providerOptions })).stream);
      assert.equal(last.text, "Here again.");
    },
  );
});
