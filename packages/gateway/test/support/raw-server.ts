import type { Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import type { Rpc } from "./test-page.ts";

/** A server that can say several things in one breath: whatever it says while it hears arrives together. */
export function rawServer(hear: (message: Rpc, say: (message: Rpc | string) => void) => void): Transport {
  const [near, far] = memoryPair();
  const say = (message: Rpc | string) => far.send(typeof message === "string" ? message : JSON.stringify(message));
  far.start({
    message(text) {
      const message = JSON.parse(text) as Rpc;
      if (message.method === "initialize") say({ id: message.id ?? null, result: { userAgent: "raw/1.0.0 (test)" } });
      else if (message.id !== undefined) hear(message, say);
    },
    closed: () => undefined,
  });
  return near;
}
