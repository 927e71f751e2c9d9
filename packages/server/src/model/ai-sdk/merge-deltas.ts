import { Failure } from "../failure.ts";

/** The longest event, in characters: more would fill the memory before anybody reads it. */
const maxEvent = 64 * 1024 * 1024;

/** The fields in which these wires send text piece by piece. */
const field = /"(?:content|text|thinking|partial_json|reasoning_content|arguments)":"/;
const stringRest = /(?:[^"\\]|\\.)*/y;
const wholeString = /^(?:[^"\\]|\\.)*$/;

/** Events that differ only in the text of one field. */
interface Run {
  readonly head: string;
  readonly tail: string;
  text: string;
}

/**
 * Joins pieces of text that arrived at once: the packages of the AI SDK take several times as long for an event as our own
 * reader, and nobody sees the difference between two pieces and one that come in the same moment. Holds nothing back.
 */
export class DeltaMerger {
  /** The event that is not complete yet, as it came: joined with each piece, a long one would be gone through anew. */
  #rest: string[] = [];
  #length = 0;
  #endsInReturn = false;
  #run: Run | undefined;

  /** Takes what has arrived. Returns the events that are complete, with a line feed at the end of each line. */
  push(piece: string): string {
    const text = this.#withLineFeeds(piece);
    const before = this.#rest.at(-1)?.at(-1) ?? "";
    if (text !== "") this.#keep(text);
    if (!`${before}${text}`.includes("\n\n")) return "";
    const blocks = this.end().split("\n\n");
    const rest = blocks.pop() ?? "";
    if (rest !== "") this.#keep(rest);
    let events = "";
    for (const block of blocks) events += this.#take(block);
    return events + this.#flush();
  }

  /** Returns the rest. */
  end(): string {
    const rest = this.#rest.join("");
    this.#rest = [];
    this.#length = 0;
    return rest;
  }

  #withLineFeeds(piece: string): string {
    if (piece === "" || (!this.#endsInReturn && !piece.includes("\r"))) return piece;
    const text = this.#endsInReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    this.#endsInReturn = piece.endsWith("\r");
    return text.replace(/\r\n?/g, "\n");
  }

  #keep(text: string): void {
    this.#rest.push(text);
    this.#length += text.length;
    if (this.#length > maxEvent)
      throw new Failure(`the model's answer cannot be read: an event is longer than ${maxEvent} characters`, "other");
  }

  /** Returns the events that can not go on with this one. */
  #take(block: string): string {
    const run = this.#run;
    const more = run && textBetween(block, run);
    if (run && more !== undefined) {
      run.text += more;
      return "";
    }
    const before = this.#flush();
    this.#run = runOf(block);
    return this.#run ? before : `${before}${block}\n\n`;
  }

  #flush(): string {
    const run = this.#run;
    this.#run = undefined;
    return run ? `${run.head}${run.text}${run.tail}\n\n` : "";
  }
}

function textBetween(block: string, { head, tail }: Run): string | undefined {
  if (block.length < head.length + tail.length || !block.startsWith(head) || !block.endsWith(tail)) return undefined;
  const text = block.slice(head.length, block.length - tail.length);
  return wholeString.test(text) ? text : undefined;
}

function runOf(block: string): Run | undefined {
  const found = field.exec(block);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  stringRest.lastIndex = start;
  const text = stringRest.exec(block)?.[0] ?? "";
  return { head: block.slice(0, start), text, tail: block.slice(start + text.length) };
}

/** A body with its pieces of text joined. */
export function mergeDeltas(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const merger = new DeltaMerger();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        const events = merger.push(decoder.decode(piece, { stream: true }));
        if (events !== "") controller.enqueue(encoder.encode(events));
      },
      flush: (controller) => {
        const rest = merger.push(decoder.decode()) + merger.end();
        if (rest !== "") controller.enqueue(encoder.encode(rest));
      },
    }),
  );
}
