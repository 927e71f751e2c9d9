const none = new Uint8Array(0);

/** Passes bytes on with no UTF-8 sequence cut: what begins one waits for its rest. Holds three bytes at most. */
export class WholeCharacters {
  #held: Uint8Array = none;

  /** The bytes of complete characters. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    const cut = all.length - unfinished(all);
    this.#held = cut === all.length ? none : all.slice(cut);
    return cut === all.length ? all : all.subarray(0, cut);
  }

  rest(): Uint8Array {
    const held = this.#held;
    this.#held = none;
    return held;
  }
}

/** Number of bytes at the end that may become a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc0 && lead < 0xe0 ? 2 : 1;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
