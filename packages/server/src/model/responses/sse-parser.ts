/** Larger events are an attack or a defect. */
const maxEventBytes = 64 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Parses server-sent events from bytes cut anywhere. Decodes complete lines up to a piece's last line feed: no UTF-8
 * sequence contains that byte, so no decoder has to keep half a character. Only `data` is read; the other fields add
 * nothing.
 */
export class SseParser {
  readonly #onData: (data: string) => void;
  readonly #maxBytes: number;
  #partial: Uint8Array[] = [];
  #partialBytes = 0;
  /** The data of the current event; more than one line is rare. */
  #data: string | undefined;
  #atStart = true;

  /** @param onData Gets each event's data, in order, during {@link SseParser.push}. */
  constructor(onData: (data: string) => void, maxBytes: number = maxEventBytes) {
    this.#onData = onData;
    this.#maxBytes = maxBytes;
  }

  /** Throws a `RangeError` for an event over the limit. */
  push(piece: Uint8Array): void {
    const end = piece.lastIndexOf(lineFeed) + 1;
    if (end > 0) this.#lines(this.#complete(piece.subarray(0, end)));
    if (end < piece.length) {
      this.#partial.push(piece.subarray(end));
      this.#partialBytes += piece.length - end;
    }
    if (this.#partialBytes + (this.#data?.length ?? 0) > this.#maxBytes) {
      throw new RangeError(`an event is larger than ${this.#maxBytes} bytes`);
    }
  }

  /** Delivers a last event without its closing lines. */
  end(): void {
    if (this.#partialBytes > 0) this.#lines(`${this.#complete(new Uint8Array(0))}\n`);
    this.#deliver();
  }

  #complete(piece: Uint8Array): string {
    if (this.#partial.length === 0) return decode(piece);
    const whole = Buffer.concat([...this.#partial, piece], this.#partialBytes + piece.length);
    this.#partial = [];
    this.#partialBytes = 0;
    return decode(whole);
  }

  #lines(text: string): void {
    let start = this.#atStart && text.charCodeAt(0) === 0xfeff ? 1 : 0;
    this.#atStart = false;
    while (start < text.length) {
      const feed = text.indexOf("\n", start);
      const end = feed > start && text.charCodeAt(feed - 1) === carriageReturn ? feed - 1 : feed;
      if (end === start) this.#deliver();
      else if (text.startsWith("data", start)) this.#field(text, start, end);
      start = feed + 1;
    }
  }

  #field(text: string, start: number, end: number): void {
    const colon = start + 4;
    let value = "";
    if (colon < end) {
      if (text[colon] !== ":") return;
      value = text.substring(text[colon + 1] === " " ? colon + 2 : colon + 1, end);
    }
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #deliver(): void {
    const data = this.#data;
    if (data === undefined) return;
    this.#data = undefined;
    this.#onData(data);
  }
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
