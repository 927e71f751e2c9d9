import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, isAbsolute, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Command {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly env?: Record<string, string>;
}

/** A sandbox of `@ai-sdk/harness` that is a folder of this machine: processes without stdin, files, and one port. */
export async function localSandbox(folder: string, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const live = new Set<() => Promise<void>>();
  const spawned: string[] = [];
  const pathOf = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const start = ({ command, workingDirectory = folder, env: more }: Command) => {
    spawned.push(command);
    const child = spawn("sh", ["-c", command], {
      cwd: workingDirectory,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const exited = once(child, "exit").then(([code]) => ({ exitCode: (code as number | null) ?? -1 }));
    const kill = async () => {
      child.kill("SIGKILL");
      await exited;
      live.delete(kill);
    };
    live.add(kill);
    return { child, exited, kill };
  };
  const session = {
    id: folder,
    description: "this machine",
    defaultWorkingDirectory: folder,
    ports: [port],
    getPortEndpoint: async () => ({ url: `ws://127.0.0.1:${port}` }),
    spawn: async (command: Command) => {
      const { child, exited, kill } = start(command);
      return { stdout: Readable.toWeb(child.stdout), stderr: Readable.toWeb(child.stderr), wait: () => exited, kill };
    },
    run: async (command: Command) => {
      const { child, exited, kill } = start(command);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const { exitCode } = await exited;
      await kill();
      return { exitCode, stdout, stderr };
    },
    readTextFile: async ({ path }: { path: string }) => readFileSync(pathOf(path), "utf8"),
    writeTextFile: async ({ path, content }: { path: string; content: string }) => {
      mkdirSync(dirname(pathOf(path)), { recursive: true });
      writeFileSync(pathOf(path), content);
    },
    stop: async () => {
      await Promise.all([...live].map((kill) => kill()));
    },
    destroy: async () => undefined,
    restricted: () => session,
  };
  return { session, spawned, running: () => live.size };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
