import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { eventually } from "@quire/testkit";
import type { ExampleStage } from "./example-stage.ts";

/** A real Codex that listens on a WebSocket, reached by a line that can be cut. */
export interface ListeningCodex extends AsyncDisposable {
  readonly url: string;
  /** Cuts every connection. New ones are let through. */
  cut(): void;
}

export async function listeningCodex({ codex, env }: ExampleStage): Promise<ListeningCodex> {
  const port = await freePort();
  const args = [...codex.args, "--listen", `ws://127.0.0.1:${port}`];
  const child = spawn(codex.command, args, { env, cwd: codex.cwd, stdio: "ignore" });
  await eventually(() => canConnect(port), { timeoutMs: 20_000 });

  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        near.destroy();
        far.destroy();
        sockets.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      cut();
      line.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** @returns True, or rejects where nobody listens. */
async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  return true;
}
