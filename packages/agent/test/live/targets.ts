import { describe } from "node:test";
import { type AgentClientConfig, CodexAgent, type CodexAgentOptions } from "@quire/agent";
import {
  assertNoProcesses,
  type MockResponses,
  mockResponses,
  type RealCodex,
  type RealCodexOptions,
  realCodex,
  skipWithoutCodex,
} from "@quire/testkit";

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

/** Every server that the scenarios run against. What stands in for Codex speaks the latest version's protocol. */
export const targets: readonly Target[] = process.env.QUIRE_CODEX_COMMAND
  ? [codex("0.166.0")]
  : [codex("0.118.0"), codex("0.166.0")];

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
  return { command: [server.command, ...server.args], ...given, env, cwd };
}
