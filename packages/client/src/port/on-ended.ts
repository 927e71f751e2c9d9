import { ConnectionError } from "@quire/jsonrpc";
import type { ServerPort } from "./server-port.ts";

type Listener = (error: Error) => void;

interface Watch {
  readonly listeners: Set<Listener>;
  /** Set once the connection has ended. */
  error?: Error;
}

/** A single wait for each port: a promise never forgets its callbacks, and listeners come and go. */
const watches = new WeakMap<ServerPort, Watch>();

/** Calls the listener when the connection has ended for good, or has already; the returned function takes that back. */
export function onEnded(port: ServerPort, listener: Listener): () => void {
  const watch = watches.get(port) ?? begin(port);
  watch.listeners.add(listener);
  if (watch.error) queueMicrotask(() => notify(watch));
  return () => void watch.listeners.delete(listener);
}

function begin(port: ServerPort): Watch {
  const watch: Watch = { listeners: new Set() };
  watches.set(port, watch);
  void port.ended.then((error) => {
    watch.error = error ?? new ConnectionError("closed", "The connection is closed");
    notify(watch);
  });
  return watch;
}

function notify({ listeners, error }: Watch): void {
  for (const listener of listeners) {
    listeners.delete(listener);
    if (error) listener(error);
  }
}
