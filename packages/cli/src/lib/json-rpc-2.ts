import type { Transport } from "@quire/jsonrpc";

/** A transport whose messages say that they are JSON-RPC 2.0, which MCP and ACP demand and the app-server protocol leaves out. */
export function jsonRpc2(inner: Transport): Transport {
  return {
    start: (sink) => inner.start(sink),
    send: (text) => inner.send(`{"jsonrpc":"2.0",${text.slice(1)}`),
    get buffered() {
      return inner.buffered;
    },
    drain: () => inner.drain(),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}
