import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { listen } from "@quire/testkit";
import type { ExampleStage } from "./example-stage.ts";

/** A real Codex that listens on a WebSocket, reached by a line that can be cut. */
export interface ListeningCodex extends AsyncDisposable {
  readonly url: string;
  /** Cuts every connection. New ones are let through. */
  cut(): void;
}

export async function listeningCodex({ codex, env }: ExampleStage): Promise<ListeningCodex> {
  const { port, kill } = await listen({ ...codex, env });
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
      await kill();
      cut();
      line.close();
    },
  };
}
