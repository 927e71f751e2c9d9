import type { Transport } from "@quire/jsonrpc";

/** A transport whose incoming messages somebody sees before they are delivered. */
export function watchedTransport(
  inner: Transport & { readonly stderr: string },
  see: (text: string) => void,
): Transport & { readonly stderr: string } {
  return {
    start: (sink) =>
      inner.start({
        message(text) {
          see(text);
          sink.message(text);
        },
        closed: (error) => sink.closed(error),
      }),
    send: (text) => inner.send(text),
    get buffered() {
      return inner.buffered;
    },
    drain: () => inner.drain(),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
    get stderr() {
      return inner.stderr;
    },
  };
}
