/**
 * A model without latency, in a process of its own: `deltas N` in the last user message is answered with N pieces of text,
 * anything else with one. Prints its base URL.
 */
interface Body {
  readonly input: readonly {
    readonly type: string;
    readonly role?: string;
    readonly content?: readonly { readonly text?: string }[];
  }[];
}

const prepared = new Map<number, Uint8Array>();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    if (!request.url.endsWith("/responses")) return new Response("not found", { status: 404 });
    const { input } = (await request.json()) as Body;
    const last = input.findLast((item) => item.role === "user")?.content?.at(-1)?.text ?? "";
    const count = Number(/deltas (\d+)/.exec(last)?.[1] ?? 1);
    const bytes = prepared.get(count) ?? reply(count);
    prepared.set(count, bytes);
    return new Response(bytes, { headers: { "content-type": "text/event-stream" } });
  },
});
console.log(`http://127.0.0.1:${server.port}/v1`);

function reply(count: number): Uint8Array {
  const pieces = Array.from({ length: count }, (_, n) => `word ${n} `);
  const text = pieces.join("");
  const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] as unknown[] };
  const done = { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const events = [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.added", output_index: 0, item },
    ...pieces.map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: "response.output_item.done", output_index: 0, item: done },
    { type: "response.completed", response: { id: "resp_1", status: "completed", usage } },
  ];
  return new TextEncoder().encode(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
}
