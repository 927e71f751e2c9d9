import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe } from "node:test";
import type { SpawnedServer } from "@quire/gateway";
import { type MockResponses, mockResponses, type RealCodex, realCodex, skipWithoutCodex } from "@quire/testkit";

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
  listen(port?: number): Promise<Listening>;
}

/** A server that listens. */
interface Listening {
  readonly url: string;
  readonly port: number;
  /** Ends it without a word. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Runs the same tests on our server, the newest Codex and an older one. */
export async function onEachServer(tests: (start: () => Promise<LiveServer>) => void): Promise<void> {
  for (const version of ["0.166.0", "0.118.0"]) {
    const skip = await skipWithoutCodex(version);
    describe(`on Codex ${version}`, { skip }, () => tests(() => liveServer(version)));
  }
  describe("on our server", () => tests(() => liveServer()));
}

async function liveServer(version?: string): Promise<LiveServer> {
  const mock = await mockResponses();
  // Ours takes the same home, configuration and arguments.
  const codex = await realCodex(version ?? "0.166.0", { model: mock });
  const program = version === undefined ? launcher : codex.command;
  const children: ChildProcess[] = [];
  return {
    mock,
    cwd: codex.cwd,
    tag: codex.tag,
    spawned: { command: [program, ...codex.args], cwd: codex.cwd, env: codex.env },
    async listen(port = 0) {
      const child = spawn(program, [...codex.args, "--listen", `ws://127.0.0.1:${port}`], {
        env: codex.env,
        cwd: codex.cwd,
        stdio: ["ignore", "ignore", "pipe"],
      });
      children.push(child);
      const url = await addressOf(child);
      return { url, port: Number(new URL(url).port), kill: () => kill(child) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(kill));
      await dispose(codex, mock);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function dispose(codex: RealCodex, mock: MockResponses): Promise<void> {
  await codex[Symbol.asyncDispose]();
  await mock.close();
}

/** Servers say on stderr where they listen. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk;
      const address = /ws:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (address) resolve(address);
    });
    child.once("exit", () => reject(new Error(`the server ended before it listened: ${said}`)));
  });
}
