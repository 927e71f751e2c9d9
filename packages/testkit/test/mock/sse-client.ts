export interface SseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Reads the events of a stream as they come. */
export async function* sseEvents(response: Response): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6)) as SseEvent;
    }
  }
}

export function textOf(events: readonly SseEvent[]): string {
  const deltas = events.filter((event) => event.type === "response.output_text.delta");
  return deltas.map((event) => String(event.delta)).join("");
}

export function userInput(text: string): object {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
