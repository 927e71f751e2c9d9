/** Token usage that the model reports for every request. */
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 110,
};

/** An event of the Responses API. */
export interface ModelEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A whole response as the Responses API streams it: its events between its creation and its end. */
export function responseStream(id: string, events: readonly ModelEvent[]): string {
  const all: readonly ModelEvent[] = [
    { type: "response.created", response: { id } },
    ...events,
    { type: "response.completed", response: { id, status: "completed", usage } },
  ];
  return all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/**
 * Serves the Responses API on a port of its own and prints its base URL.
 *
 * @param answer Returns the stream, or a whole response, for what was asked.
 */
export function serveModel<Item>(answer: (input: readonly Item[]) => string | Uint8Array | Response): void {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (!request.url.endsWith("/responses")) return new Response("not found", { status: 404 });
      const { input } = (await request.json()) as { input: readonly Item[] };
      const answered = answer(input);
      if (answered instanceof Response) return answered;
      return new Response(answered, { headers: { "content-type": "text/event-stream" } });
    },
  });
  console.log(`http://127.0.0.1:${server.port}/v1`);
}
