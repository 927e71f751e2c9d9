import type { Transport } from "./transport.ts";

/**
 * A transport that shows every message to an observer before it passes it on; what a child said stays readable. The
 * observer sees the very text of the wire and cannot change it. It must not throw: what it throws reaches whoever sent,
 * or whoever delivers. Messages are always sent as text here, since an observer of bytes would need a copy of them.
 */
export function tapTransport(
  inner: Transport & { readonly stderr?: string },
  observe: (direction: "in" | "out", text: string) => void,
): Transport & { readonly stderr: string } {
  return {
    start: (sink) =>
      inner.start({
        message: (text) => {
          observe("in", text);
          sink.message(text);
        },
        closed: (error) => sink.closed(error),
      }),
    send: (text) => {
      observe("out", text);
      inner.send(text);
    },
    get buffered() {
      return inner.buffered;
    },
    drain: () => inner.drain(),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    keepAlive: (on) => inner.keepAlive?.(on),
    kill: () => inner.kill?.(),
    close: () => inner.close(),
    get stderr() {
      return inner.stderr ?? "";
    },
  };
}
