import { join } from "node:path";
import { describe } from "node:test";
import type { SpawnedServer } from "@quire/gateway";
import { codexVersion } from "@quire/protocol/version";
import {
  type ListeningServer,
  listen,
  type MockResponses,
  mockResponses,
  type RealCodex,
  realCodex,
  skipWithoutCodex,
  testedVersions,
} from "@quire/testkit";

/** Our own command. */
const launcher = join(import.meta.dirname, "..", "..", "..", "cli", "bin", "quire");

/** A real server with a scripted model, ready to be started by a gateway or to listen. */
export interface LiveServer extends AsyncDisposable {
  readonly mock: MockResponses;
  readonly cwd: string;
  /** In the environment of every process that it starts. */
  readonly tag: string;
  /** For a gateway to start. */
  readonly spawned: SpawnedServer;
  /** Starts it on a port or, with 0, on a free one. */
  listen(port?: number): Promise<ListeningServer>;
}

/** Runs the same tests on our server, the newest Codex and an older one. */
export async function onEachServer(tests: (start: () => Promise<LiveServer>) => void): Promise<void> {
  for (const version of testedVersions({ since: "0.118.0" })) {
    const skip = await skipWithoutCodex(version);
    describe(`on Codex ${version}`, { skip }, () => tests(() => liveServer(version)));
  }
  // Who asks for certain versions of Codex asks for nothing else.
  if (process.env.QUIRE_CODEX_VERSIONS === undefined) describe("on our server", () => tests(() => liveServer()));
}

async function liveServer(version?: string): Promise<LiveServer> {
  const mock = await mockResponses();
  // Ours takes the same home, configuration and arguments.
  const codex = await realCodex(version ?? codexVersion, { model: mock });
  const program = version === undefined ? launcher : codex.command;
  const servers: ListeningServer[] = [];
  return {
    mock,
    cwd: codex.cwd,
    tag: codex.tag,
    spawned: { command: [program, ...codex.args], cwd: codex.cwd, env: codex.env },
    async listen(port) {
      const server = await listen({ ...codex, command: program }, port);
      servers.push(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      await dispose(codex, mock);
    },
  };
}

async function dispose(codex: RealCodex, mock: MockResponses): Promise<void> {
  await codex[Symbol.asyncDispose]();
  await mock.close();
}
