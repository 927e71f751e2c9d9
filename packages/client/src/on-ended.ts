import { ConnectionError } from "@quire/jsonrpc";
import type { ServerPort } from "./server-port.ts";

type Listener = (error: Error) => void;

// A promise never forgets who waits for it, so each port's is awaited once, on behalf of all who come and go.
const listenersOf = new WeakMap<ServerPort, Set<Listener>>();

/** Calls the listener when the connection has ended for good; the returned function takes that back. */
export function onEnded(port: ServerPort, listener: Listener): () => void {
  let listeners = listenersOf.get(port);
  if (listeners === undefined) {
    const all = new Set<Listener>();
    listeners = all;
    listenersOf.set(port, all);
    void port.ended.then((error) => {
      for (const each of all) each(error ?? new ConnectionError("closed", "The connection is closed"));
    });
  }
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
