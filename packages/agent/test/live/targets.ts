import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { type AgentClientConfig, CodexAgent, type CodexAgentOptions } from "@quire/agent";
import type { Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { codexVersion } from "@quire/protocol/version";
import {
  assertNoProcesses,
  listen,
  type MockResponses,
  mockResponses,
  type RealCodex,
  type RealCodexOptions,
  realCodex,
  skipWithoutCodex,
} from "@quire/testkit";

/** Longer than the default: a busy machine starts several servers at once. */
const startupTimeoutMs = 60_000;

/** What a server can do, as far as the scenarios ask for it. */
export type Capability = "resume" | "fork" | "sandbox" | "skills" | "mcp" | "process";

/** A server, its scripted model and its folders, for one scenario. */
export interface Live extends AsyncDisposable {
  readonly model: MockResponses;
  /** The folder that the agent works in, unless told otherwise. */
  readonly cwd: string;
  /** Makes an agent on this server. */
  agent(options?: CodexAgentOptions): CodexAgent;
}

/** A kind of server that the scenarios run against. Another one is another entry of {@link targets}. */
export interface Target {
  readonly name: string;
  /** The version whose protocol it speaks. */
  readonly version: string;
  readonly capabilities: readonly Capability[];
  /** Why it cannot be had; false where it can. */
  skip(): Promise<string | false>;
  start(options?: Omit<RealCodexOptions, "model">): Promise<Live>;
}

/** A real Codex, or what `QUIRE_CODEX_COMMAND` puts in its place. */
function codex(version: string): Target {
  return {
    name: `Codex ${version}`,
    version,
    capabilities: ["resume", "fork", "sandbox", "skills", "mcp", "process"],
    skip: () => skipWithoutCodex(version),
    start: (options) => startCodex(version, options),
  };
}

/** Our own server, reached by socket or in this process. It is not the agent's to start, so it gets no home of its own. */
function running(over: "websocket" | "memory"): Target {
  return {
    name: `our server over ${over}`,
    version: codexVersion,
    capabilities: ["resume", "fork", "sandbox", "mcp"],
    skip: () => skipWithoutCodex(codexVersion),
    start: (options) => startRunning(over, options),
  };
}

/** Every server that the scenarios run against. What stands in for Codex speaks the latest version's protocol. */
export const targets: readonly Target[] = allTargets();

function allTargets(): Target[] {
  const over = process.env.QUIRE_SUITE_OVER;
  if (over === "websocket" || over === "memory") return [running(over)];
  return process.env.QUIRE_CODEX_COMMAND ? [codex(codexVersion)] : [codex("0.118.0"), codex(codexVersion)];
}

/** Runs the same scenarios on every target that can do what they need. */
export async function onEachTarget(
  name: string,
  needs: readonly Capability[],
  scenarios: (target: Target) => void,
): Promise<void> {
  for (const target of targets) {
    if (!needs.every((need) => target.capabilities.includes(need))) continue;
    describe(`${name} on ${target.name}`, { skip: await target.skip() }, () => scenarios(target));
  }
}

/**
 * One home, and one server where the agent does not start its own, for all scenarios of a `describe`: none sees what
 * another has left there, and each takes all the replies that it scripted.
 */
export function sharedBy(target: Target): () => Live {
  let live: Live | undefined;
  before(async () => {
    live = await target.start();
  });
  after(() => live?.[Symbol.asyncDispose]());
  return () => {
    assert.ok(live, "it was not started");
    assert.equal(live.model.remaining, 0, "a scenario before this one left replies");
    return live;
  };
}

async function startCodex(version: string, options: Omit<RealCodexOptions, "model"> = {}): Promise<Live> {
  const model = await mockResponses();
  const server = await realCodex(version, { ...options, model });
  return {
    model,
    cwd: server.cwd,
    agent: (given = {}) => new CodexAgent({ model: { model: null }, ...given, client: clientOf(server, given.client) }),
    async [Symbol.asyncDispose]() {
      try {
        // Whatever the scenario did: an evaluation leaves no process behind.
        await assertNoProcesses({ tag: server.tag });
      } finally {
        await server[Symbol.asyncDispose]();
        await model.close();
      }
    },
  };
}

function clientOf(server: RealCodex, given: AgentClientConfig = {}): AgentClientConfig {
  const env = { ...server.env, ...given.env };
  const cwd = "cwd" in given ? given.cwd : server.cwd;
  return { command: [server.command, ...server.args], startupTimeoutMs, ...given, env, cwd };
}

async function startRunning(
  over: "websocket" | "memory",
  options: Omit<RealCodexOptions, "model"> = {},
): Promise<Live> {
  const model = await mockResponses();
  const codex = await realCodex(codexVersion, { ...options, model });
  const { way, end } = over === "memory" ? await inMemory(codex) : await overWebSocket(codex);
  return {
    model,
    cwd: codex.cwd,
    agent: (given = {}) =>
      new CodexAgent({
        model: { model: null },
        ...given,
        client: { cwd: codex.cwd, startupTimeoutMs, ...given.client, ...way },
      }),
    async [Symbol.asyncDispose]() {
      await end();
      await codex[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

/** How an agent reaches a server that runs, and what ends that server. */
interface Running {
  readonly way: Pick<AgentClientConfig, "url" | "transport">;
  end(): Promise<void>;
}

async function overWebSocket(codex: RealCodex): Promise<Running> {
  const { url, kill } = await listen(codex);
  return { way: { url }, end: kill };
}

/** Loaded by a name that the compiler does not follow: an agent knows no server. */
async function inMemory({ home, env }: RealCodex): Promise<Running> {
  const name = "@quire/server";
  const { createServer } = (await import(name)) as {
    createServer(options: object): { accept(transport: Transport): unknown; close(): Promise<void> };
  };
  const server = createServer({ home, env });
  const transport = () => {
    const [ours, theirs] = memoryPair();
    server.accept(theirs);
    return ours;
  };
  return { way: { transport }, end: () => server.close() };
}
