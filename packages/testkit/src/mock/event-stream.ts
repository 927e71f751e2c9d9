/** An output item as the Responses API sends it: `message`, `reasoning`, `function_call` and so on. */
export interface OutputItem {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A step of playing a reply: text ready for the socket, a pause, or an early end. */
export type Piece = string | { readonly wait: number | PromiseLike<unknown> } | { readonly end: "cut" | "truncate" };

/** Gives ids that are unique within one mock and the same in every run: `msg_1`, `fc_2`. */
export type IdSource = (prefix: string) => string;

/**
 * Numbers and encodes the events of one model response. Lives as long as the response is streamed.
 *
 * `encode` gives text instead of writing it, so that thousands of small events go out in few large writes.
 */
export class EventStream {
  readonly id: IdSource;
  /** The items completed so far, as `response.completed` repeats them. */
  readonly output: OutputItem[] = [];
  #sequence = 0;
  #openIndex = 0;

  constructor(id: IdSource) {
    this.id = id;
  }

  /** Encodes a server-sent event. */
  encode(type: string, fields: Readonly<Record<string, unknown>>): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...fields });
    return `event: ${type}\ndata: ${data}\n\n`;
  }

  /**
   * Returns an encoder for many events that differ only in their `delta`: the rest is made text only once, which counts
   * when a reply has 100,000 of them.
   */
  deltas(type: string, fields: Readonly<Record<string, unknown>>): (delta: string) => string {
    const rest = JSON.stringify(fields).slice(1);
    const head = `event: ${type}\ndata: {"type":"${type}","sequence_number":`;
    return (delta) => `${head}${this.#sequence++},"delta":${JSON.stringify(delta)},${rest}\n\n`;
  }

  /** The place of the item that is opened now. */
  get outputIndex(): number {
    return this.#openIndex;
  }

  /** Announces an item. */
  added(item: OutputItem): string {
    return this.encode("response.output_item.added", { output_index: this.#openIndex, item });
  }

  /** Completes the item last announced. */
  done(item: OutputItem): string {
    this.output.push(item);
    return this.encode("response.output_item.done", { output_index: this.#openIndex++, item });
  }
}
