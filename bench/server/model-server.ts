/**
 * A model without latency, in a process of its own: `deltas N` in the last user message is answered with N pieces of text,
 * anything else with one. Prints its base URL.
 */
import { responseStream, serveModel } from "../model-stream.ts";

interface Item {
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
}

const prepared = new Map<number, Uint8Array>();

serveModel<Item>((input) => {
  const last = input.findLast((item) => item.role === "user")?.content?.at(-1)?.text ?? "";
  const count = Number(/deltas (\d+)/.exec(last)?.[1] ?? 1);
  const bytes = prepared.get(count) ?? reply(count);
  prepared.set(count, bytes);
  return bytes;
});

function reply(count: number): Uint8Array {
  const pieces = Array.from({ length: count }, (_, n) => `word ${n} `);
  const text = pieces.join("");
  const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] as unknown[] };
  const done = { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
  const stream = responseStream("resp_1", [
    { type: "response.output_item.added", output_index: 0, item },
    ...pieces.map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: "response.output_item.done", output_index: 0, item: done },
  ]);
  return new TextEncoder().encode(stream);
}
