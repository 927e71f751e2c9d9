import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCodexHarness } from "@quire/client/ai-sdk-harness";
import { codexVersion } from "@quire/protocol/version";
import { type MockResponses, mockResponses, realCodex, reply } from "@quire/testkit";
import { launcher, place } from "../support/quire.ts";
import { localSandbox } from "./local-sandbox.ts";

const cache = process.env.QUIRE_CACHE ?? join(import.meta.dirname, "..", "..", "..", "..", ".cache");
export const modules: string = join(cache, "ai-sdk-harness", "node_modules");
export const skip = existsSync(modules) ? false : "HarnessAgent is not installed: run `bun scripts/setup.ts`";

export interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Result {
  readonly fullStream: AsyncIterable<Part>;
  readonly text: Promise<string>;
  readonly output: Promise<unknown>;
}

interface Session {
  readonly isResume: boolean;
  stop(): Promise<object>;
  destroy(): Promise<void>;
  suspendTurn(): Promise<object>;
  compact(): Promise<void>;
}

export interface Agent {
  createSession(options: object): Promise<Session>;
  stream(options: object): Promise<Result>;
  continueStream(options: object): Promise<Result>;
  experimental_steer(options: object): Promise<void>;
}

export const { HarnessAgent } = skip
  ? { HarnessAgent: undefined }
  : ((await import(join(modules, "@ai-sdk/harness/dist/agent/index.js"))) as {
      HarnessAgent: new (settings: object) => Agent;
    });
export const { tool, Output: output } = skip
  ? { tool: undefined, Output: undefined }
  : await import(join(modules, "ai/dist/index.js"));
export const { z } = skip ? { z: undefined } : await import(join(modules, "zod/index.js"));

const servers = {
  codex: async (mock: MockResponses) => {
    const codex = await realCodex(codexVersion, { model: mock });
    return { command: [codex.command, ...codex.args], cwd: codex.cwd, env: codex.env, place: codex };
  },
  quire: async (mock: MockResponses) => {
    const here = await place(mock);
    return { command: [launcher, "app-server"], cwd: here.cwd, env: here.env, place: here };
  },
};

export async function stage(server: keyof typeof servers, settings: object = {}) {
  const mock = await mockResponses();
  const { command, cwd, env, place: home } = await servers[server](mock);
  const sandbox = await localSandbox(cwd, env);
  const harness = createCodexHarness({ server, command });
  assert.ok(HarnessAgent);
  const agent = new HarnessAgent({ harness, sandboxConfig: { workDir: "work" }, ...settings });
  return {
    mock,
    agent,
    cwd: join(cwd, "work"),
    sandbox,
    open: (options: object = {}) => agent.createSession({ sandboxSession: sandbox.session, ...options }),
    async [Symbol.asyncDispose]() {
      await sandbox.session.stop();
      await home[Symbol.asyncDispose]();
      await mock.close();
    },
  };
}

export async function parts(result: Result): Promise<Part[]> {
  const all: Part[] = [];
  for await (const part of result.fullStream) all.push(part);
  return all;
}

export const textOf = (all: readonly Part[]) =>
  all.map(({ type, text }) => (type === "text-delta" ? String(text) : "")).join("");
export const ofType = (all: readonly Part[], type: string) => all.filter((part) => part.type === type);
export const run = (cmd: string) => reply().functionCall("exec_command", { cmd }, { callId: "call-1" });
