import type { NotificationMessage } from "@quire/jsonrpc";

const method = "item/agentMessage/delta";
const opening = `{"method":"${method}","params":{`;
const beforeDelta = ',"delta":"';
const beforeTime = '},"emittedAtMs":';

interface Known {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
}

/**
 * Reads pieces of an agent's message without parsing them. A long answer is very many lines that are alike up to the
 * piece itself: what they have in common is parsed once, with the first of them, and recognised from then on. Whatever
 * differs in anything else, or needs unescaping, is left to `JSON.parse`.
 */
export class DeltaReader {
  /** What the lines have in common: all up to the quote that opens the piece. */
  #prefix = "";
  #known: Known = { threadId: "", turnId: "", itemId: "" };
  #tail = "";
  #emittedAtMs: number | undefined;

  /** The message, or undefined where the text has to be parsed. */
  readonly read = (text: string): NotificationMessage | undefined => {
    const start = this.#prefix.length;
    // Cut and compared, for `startsWith` goes character by character on Node.
    if (start === 0 || text.slice(0, start) !== this.#prefix) {
      if (text.slice(0, opening.length) === opening) this.#learn(text);
      return undefined;
    }
    const end = text.indexOf('"', start);
    const backslash = text.indexOf("\\", start);
    if (end < 0 || (backslash >= 0 && backslash < end)) return undefined;
    const tail = text.slice(end + 1);
    if (tail !== this.#tail && !this.#learnTail(tail)) return undefined;
    const { threadId, turnId, itemId } = this.#known;
    const params = { threadId, turnId, itemId, delta: text.slice(start, end) };
    const emittedAtMs = this.#emittedAtMs;
    return (emittedAtMs === undefined ? { method, params } : { method, params, emittedAtMs }) as NotificationMessage;
  };

  #learn(text: string): void {
    this.#prefix = "";
    const at = text.indexOf(beforeDelta);
    if (at < 0) return;
    const prefix = text.slice(0, at + beforeDelta.length);
    try {
      const { params, ...rest } = JSON.parse(`${prefix}"}}`) as { params: Known & { delta: string } };
      const { threadId, turnId, itemId, delta, ...more } = params;
      const isPlain = [threadId, turnId, itemId, delta].every((each) => typeof each === "string");
      if (!isPlain || Object.keys(more).length > 0 || Object.keys(rest).length !== 1) return;
      this.#known = { threadId, turnId, itemId };
      this.#prefix = prefix;
    } catch {
      // Some other message that begins alike.
    }
  }

  /** What stands behind the piece: nothing, or the time. */
  #learnTail(tail: string): boolean {
    if (tail === "}}") {
      this.#emittedAtMs = undefined;
    } else {
      const time = tail.slice(beforeTime.length, -1);
      if (!tail.startsWith(beforeTime) || !tail.endsWith("}") || !/^[1-9]\d{0,14}$/.test(time)) return false;
      this.#emittedAtMs = Number(time);
    }
    this.#tail = tail;
    return true;
  }
}
