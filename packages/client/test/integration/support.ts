import { describe } from "node:test";
import { CodexClient, type SpawnOptions } from "@quire/client";
import type { Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import {
  listen,
  type MockResponses,
  mockResponses,
  type RealCodex,
  type RealCodexOptions,
  realCodex,
  skipWithoutCodex,
  testedVersions,
} from "@quire/testkit";

/** Whether another server stands in for Codex. It speaks the latest version's protocol, and what that has dropped. */
export const standsIn = Boolean(process.env.QUIRE_CODEX_COMMAND);

/** Whether the server ends with its client. */
export const ownsServer = !process.env.QUIRE_SUITE_OVER;

/** Runs the same tests on every version from `since` on. */
export async function onEachCodex(
  name: string,
  since: string,
  tests: (version: string) => void,
  until?: string,
): Promise<void> {
  for (const version of testedVersions({ since, until })) {
    const skip = await skipWithoutCodex(version);
    describe(`${name} on Codex ${version}`, { skip }, () => tests(version));
  }
}

/** A real Codex, its scripted model, and a client on it. Disposing ends all three, in order. */
export interface Fixture extends AsyncDisposable {
  readonly mock: MockResponses;
  readonly codex: RealCodex;
  readonly client: CodexClient;
}

/** Starts a real Codex of this version, or what stands in for it, and connects. */
export async function spawned(
  version: string,
  options: SpawnOptions = {},
  setup: Omit<RealCodexOptions, "model"> = {},
): Promise<Fixture> {
  const mock = await mockResponses();
  const codex = await realCodex(version, { ...setup, model: mock });
  const { client, end } = await reach(codex, { cwd: codex.cwd, ...options });
  return {
    mock,
    codex,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await end?.();
      await codex[Symbol.asyncDispose]();
      await mock.close();
    },
  };
}

interface Reached {
  readonly client: CodexClient;
  /** Ends a server that does not end with its client. */
  readonly end?: () => Promise<void>;
}

/** On which way the client talks to the server: over pipes, unless `QUIRE_SUITE_OVER` says otherwise. */
function reach(codex: RealCodex, options: SpawnOptions): Promise<Reached> {
  if (process.env.QUIRE_SUITE_OVER === "websocket") return overWebSocket(codex, options);
  if (process.env.QUIRE_SUITE_OVER === "memory") return inMemory(codex, options);
  const command = [codex.command, ...codex.args];
  return CodexClient.spawn({ command, env: codex.env, ...options }).then((client) => ({ client }));
}

async function overWebSocket(codex: RealCodex, options: SpawnOptions): Promise<Reached> {
  const { url, kill } = await listen(codex);
  return { client: await CodexClient.connect(url, options), end: kill };
}

/** Our own server in this process. It is loaded by a name that the compiler does not follow: the client knows no server. */
async function inMemory(codex: RealCodex, options: SpawnOptions): Promise<Reached> {
  const name = "@quire/server";
  const { createServer } = (await import(name)) as {
    createServer(options: object): { accept(transport: Transport): unknown; close(): Promise<void> };
  };
  const server = createServer({ home: codex.home, env: codex.env });
  const transport = () => {
    const [ours, theirs] = memoryPair();
    server.accept(theirs);
    return ours;
  };
  const client = new CodexClient({
    approvalPolicy: undefined,
    sandbox: undefined,
    model: undefined,
    ...options,
    transport,
  });
  await client.connect();
  return { client, end: () => server.close() };
}
