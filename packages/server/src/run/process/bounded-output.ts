/** Half from the beginning of an output, half from its end. The rest is counted and dropped. */
const keptBytes: number = 1 << 20;

/** Output of any length in bounded memory: beyond the cap only the newest bytes move, in place. */
export class BoundedOutput {
  readonly #headCap: number;
  readonly #tailCap: number;
  #head: Uint8Array = new Uint8Array(0);
  #headSize = 0;
  /** Ring of the newest bytes past the head; allocated when the head is full. */
  #tail: Uint8Array | undefined;
  #tailSize = 0;
  #tailEnd = 0;
  #total = 0;

  /** @param cap Bytes kept. Default {@link keptBytes}. */
  constructor(cap: number = keptBytes) {
    this.#headCap = Math.floor(cap / 2);
    this.#tailCap = cap - this.#headCap;
  }

  get total(): number {
    return this.#total;
  }

  /** Bytes dropped between head and tail. */
  get omitted(): number {
    return this.#total - this.#headSize - this.#tailSize;
  }

  /** Copies the bytes. */
  push(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const room = this.#headCap - this.#headSize;
    const toHead = room > 0 ? bytes.subarray(0, room) : bytes.subarray(0, 0);
    if (toHead.length > 0) this.#pushHead(toHead);
    if (bytes.length > toHead.length) this.#pushTail(bytes.subarray(toHead.length));
  }

  /** The text, with a line that says how much is missing. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const head = this.#head.subarray(0, this.#headSize);
    const tail = this.#tailBytes();
    if (this.omitted === 0) return decode(concat(head, tail));
    return `${decode(head)}\n... ${this.omitted} bytes omitted ...\n${decode(tail)}`;
  }

  #pushHead(bytes: Uint8Array): void {
    const size = this.#headSize + bytes.length;
    if (size > this.#head.length) {
      const grown = new Uint8Array(Math.min(this.#headCap, Math.max(size, this.#head.length * 2)));
      grown.set(this.#head.subarray(0, this.#headSize));
      this.#head = grown;
    }
    this.#head.set(bytes, this.#headSize);
    this.#headSize = size;
  }

  #pushTail(bytes: Uint8Array): void {
    const cap = this.#tailCap;
    if (cap === 0) return;
    this.#tail ??= new Uint8Array(cap);
    const newest = bytes.length > cap ? bytes.subarray(bytes.length - cap) : bytes;
    const first = newest.subarray(0, cap - this.#tailEnd);
    this.#tail.set(first, this.#tailEnd);
    this.#tail.set(newest.subarray(first.length), 0);
    this.#tailEnd = (this.#tailEnd + newest.length) % cap;
    this.#tailSize = Math.min(cap, this.#tailSize + newest.length);
  }

  #tailBytes(): Uint8Array {
    if (!this.#tail) return new Uint8Array(0);
    if (this.#tailSize < this.#tailCap) return this.#tail.subarray(0, this.#tailSize);
    return concat(this.#tail.subarray(this.#tailEnd), this.#tail.subarray(0, this.#tailEnd));
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (b.length === 0) return a;
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
