/** The pause after which a comment is sent, so that no proxy takes the connection for dead. */
const pingMs = 15_000;

/** A stream of server-sent events. Read as slowly as its reader likes; cancelling ends the source. */
export function eventStream(
  source: AsyncIterator<string, undefined>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, undefined>> | undefined;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= source.next();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const ping = new Promise<"ping">((resolve) => {
        timer = setTimeout(() => resolve("ping"), pingMs);
      });
      try {
        const result = await Promise.race([next, ping]);
        if (result === "ping") return controller.enqueue(encoder.encode(": ping\n\n"));
        next = undefined;
        if (result.done) controller.close();
        else controller.enqueue(encoder.encode(result.value));
      } finally {
        clearTimeout(timer);
      }
    },
    async cancel() {
      await source.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      // Proxies that buffer would hold back what is shown as it is written.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

/** Writes one event. Its data is JSON, which has no line breaks of its own. */
export function sseEvent(data: unknown, fields: { readonly event?: string; readonly id?: number } = {}): string {
  const { event, id } = fields;
  const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
