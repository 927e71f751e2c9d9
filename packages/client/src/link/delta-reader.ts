/** The method of a piece of an agent's message. */
export const deltaMethod = "item/agentMessage/delta";
const opening = `{"method":"${deltaMethod}","params":{`;
const beforeDelta = ',"delta":"';
/** The rest of the line after the piece: nothing, or the time. */
const plainTail = /^\}(?:,"emittedAtMs":\d+)?\}$/;

/** The message that a delta belongs to. */
export interface Speaker {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
}

/** All up to the quote that closes a string. */
const rest = /(?:[^"\\]|\\.)*/y;

/** Takes pieces of an agent's message where nobody needs the messages around them. */
export interface DeltaSink {
  /** Tells whether it will take what this speaker says next. Asked before the first of some pieces that come at once. */
  wants(speaker: Speaker): boolean;
  take(speaker: Speaker, deltas: readonly string[]): void;
}

/**
 * Reads pieces of an agent's message without parsing them. A long answer is very many lines that are alike up to the
 * piece itself: what they have in common is parsed once, with the first of them, and recognised from then on. Whatever
 * differs in anything else is left to `JSON.parse`. Pieces that come at once are handed out at once: the way of a
 * piece to its turn is longer than the reading of it.
 */
export class DeltaReader {
  readonly #sink: DeltaSink;
  /** The common prefix of the lines, up to the quote that opens the piece. */
  #prefix = "";
  #speaker: Speaker = { threadId: "", turnId: "", itemId: "" };
  #tail = "";
  #read: string[] = [];

  constructor(sink: DeltaSink) {
    this.#sink = sink;
  }

  /** Takes a piece and returns true; any other text must be parsed, and all pieces before it have been handed out. */
  readonly read = (text: string): boolean => {
    const start = this.#prefix.length;
    // Cut and compared, for `startsWith` goes character by character on Node.
    if (start === 0 || text.slice(0, start) !== this.#prefix) return this.#leave(text);
    let end = text.indexOf('"', start);
    const backslash = text.indexOf("\\", start);
    const isEscaped = backslash >= 0 && backslash < end;
    if (isEscaped) {
      rest.lastIndex = start;
      rest.test(text);
      end = rest.lastIndex;
    }
    const tail = text.slice(end + 1);
    if (tail !== this.#tail) {
      if (!plainTail.test(tail)) return this.#leave(text);
      this.#tail = tail;
    }
    const delta = isEscaped ? unquote(text.slice(start - 1, end + 1)) : text.slice(start, end);
    if (delta === undefined || (this.#read.length === 0 && !this.#begin())) return this.#leave(text);
    this.#read.push(delta);
    return true;
  };

  /** Hands out what was read. */
  readonly flush = (): void => {
    if (this.#read.length === 0) return;
    const deltas = this.#read;
    this.#read = [];
    this.#sink.take(this.#speaker, deltas);
  };

  #begin(): boolean {
    if (!this.#sink.wants(this.#speaker)) return false;
    queueMicrotask(this.flush);
    return true;
  }

  /** Leaves a message to the parser, after all that came before it. */
  #leave(text: string): false {
    this.flush();
    if (text.slice(0, opening.length) === opening) this.#learn(text);
    return false;
  }

  #learn(text: string): void {
    const at = text.indexOf(beforeDelta);
    const prefix = text.slice(0, at + beforeDelta.length);
    if (prefix === this.#prefix) return;
    this.#prefix = "";
    if (at < 0) return;
    try {
      const { params, ...rest } = JSON.parse(`${prefix}"}}`) as { params: Speaker & { delta: string } };
      const { threadId, turnId, itemId, delta, ...more } = params;
      const isPlain = [threadId, turnId, itemId, delta].every((each) => typeof each === "string");
      if (!isPlain || Object.keys(more).length > 0 || Object.keys(rest).length !== 1) return;
      this.#speaker = { threadId, turnId, itemId };
      this.#prefix = prefix;
    } catch {
      // Some other message that begins alike.
    }
  }
}

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Left to the parser of the whole, which reports the error.
    return undefined;
  }
}
