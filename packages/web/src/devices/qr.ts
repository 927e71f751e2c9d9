/** A QR code: rows of modules, true for a dark one. */
export type QrCode = readonly (readonly boolean[])[];

/** Error correction level L, versions 1 to 10: codewords in all, those of correction in a block, and blocks. */
const versions = [
  [26, 7, 1],
  [44, 10, 1],
  [70, 15, 1],
  [100, 20, 1],
  [134, 26, 1],
  [172, 18, 2],
  [196, 20, 2],
  [242, 24, 2],
  [292, 30, 2],
  [346, 18, 4],
] as const;

/** Centres of the alignment patterns, by version. */
const alignments = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/** Encodes a text as bytes. Throws where it is too long, beyond 271 bytes. */
export function qrCode(text: string): QrCode {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(([all, check, blocks], at) => {
    const room = all - check * blocks;
    return bytes.length + (at < 9 ? 2 : 3) <= room;
  });
  const shape = versions[index];
  if (shape === undefined) throw new RangeError("This text is too long for a QR code");
  const grid = new Grid(index + 1);
  grid.place(codewords(bytes, shape, index + 1));
  return grid.masked();
}

function codewords(bytes: Uint8Array, [all, check, blocks]: (typeof versions)[number], version: number): number[] {
  const room = all - check * blocks;
  const bits: number[] = [];
  const put = (value: number, length: number): void => {
    for (let at = length - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) data.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  // The first blocks are one codeword shorter where they cannot all be of one length.
  const short = Math.floor(room / blocks);
  const longer = room % blocks;
  const parts: number[][] = [];
  for (let block = 0, at = 0; block < blocks; block += 1) {
    const length = short + (block >= blocks - longer ? 1 : 0);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const checks = parts.map((part) => remainder(part, check));
  return [...interleaved(parts), ...interleaved(checks)];
}

function interleaved(parts: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...parts.map((part) => part.length));
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part[at] ?? [])).flat();
}

/** Product in the field of 256 elements that QR codes use. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** The correction codewords of a block, by Reed and Solomon. */
function remainder(data: readonly number[], degree: number): number[] {
  const divisor: number[] = Array.from({ length: degree }, (_, at) => (at === degree - 1 ? 1 : 0));
  for (let root = 1, count = 0; count < degree; count += 1) {
    for (let at = 0; at < degree; at += 1) divisor[at] = times(divisor[at] ?? 0, root) ^ (divisor[at + 1] ?? 0);
    root = times(root, 2);
  }
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let at = 0; at < degree; at += 1) rest[at] = (rest[at] ?? 0) ^ times(divisor[at] ?? 0, factor);
  }
  return rest;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly #size: number;
  readonly #version: number;
  readonly #dark: boolean[][];
  /** Modules that hold no data. */
  readonly #fixed: boolean[][];

  constructor(version: number) {
    this.#version = version;
    this.#size = 17 + 4 * version;
    const empty = (): boolean[][] =>
      Array.from({ length: this.#size }, () => new Array<boolean>(this.#size).fill(false));
    this.#dark = empty();
    this.#fixed = empty();
    this.#patterns();
  }

  /** Lays the codewords out, two columns at a time, up and down from the right. */
  place(words: readonly number[]): void {
    let at = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      // The column of the timing pattern is left out.
      const column = right <= 6 ? right - 1 : right;
      const upward = ((column + 1) & 2) === 0;
      for (let step = 0; step < this.#size; step += 1) {
        const y = upward ? this.#size - 1 - step : step;
        for (const x of [column, column - 1]) {
          if (this.#fixed[y]?.[x] !== false || at >= words.length * 8) continue;
          this.#set(x, y, (((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1, false);
          at += 1;
        }
      }
    }
  }

  /** The code under the mask that makes it easiest to read. */
  masked(): QrCode {
    const all = masks.map((_, mask) => this.#under(mask));
    return all.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
  }

  #under(mask: number): QrCode {
    this.#format(mask);
    const isMasked = masks[mask];
    return this.#dark.map((row, y) =>
      row.map((dark, x) => dark !== (this.#fixed[y]?.[x] === false && isMasked?.(x, y) === true)),
    );
  }

  #set(x: number, y: number, dark: boolean, fixed = true): void {
    const [row, marks] = [this.#dark[y], this.#fixed[y]];
    if (row === undefined || marks === undefined || x < 0 || x >= this.#size) return;
    row[x] = dark;
    if (fixed) marks[x] = true;
  }

  #patterns(): void {
    const last = this.#size - 7;
    for (let at = 0; at < this.#size; at += 1) {
      this.#set(6, at, at % 2 === 0);
      this.#set(at, 6, at % 2 === 0);
    }
    for (const [left, top] of [
      [0, 0],
      [last, 0],
      [0, last],
    ] as const) {
      for (let y = -1; y <= 7; y += 1) {
        for (let x = -1; x <= 7; x += 1) {
          const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
          this.#set(left + x, top + y, ring !== 2 && ring !== 4);
        }
      }
    }
    const centres = alignments[this.#version - 1] ?? [];
    const end = centres.at(-1);
    for (const cx of centres) {
      for (const cy of centres) {
        // Three corners have their own patterns.
        if ((cx === 6 && (cy === 6 || cy === end)) || (cy === 6 && cx === end)) continue;
        for (let y = -2; y <= 2; y += 1) {
          for (let x = -2; x <= 2; x += 1) this.#set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
        }
      }
    }
    this.#format(0);
    if (this.#version < 7) return;
    let rest = this.#version;
    for (let count = 0; count < 12; count += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (this.#version << 12) | rest;
    for (let at = 0; at < 18; at += 1) {
      const [a, b] = [this.#size - 11 + (at % 3), Math.floor(at / 3)];
      this.#set(a, b, ((bits >> at) & 1) === 1);
      this.#set(b, a, ((bits >> at) & 1) === 1);
    }
  }

  /** Level and mask, twice, with their own correction. */
  #format(mask: number): void {
    const data = (1 << 3) | mask;
    let rest = data;
    for (let count = 0; count < 10; count += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (at: number): boolean => ((bits >> at) & 1) === 1;
    for (let at = 0; at <= 5; at += 1) this.#set(8, at, bit(at));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let at = 9; at < 15; at += 1) this.#set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at += 1) this.#set(this.#size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at += 1) this.#set(8, this.#size - 15 + at, bit(at));
    this.#set(8, this.#size - 8, true);
  }
}

/** Penalty for what makes a code hard to read: long runs, blocks, and too much of one colour. */
function penalty(code: QrCode): number {
  const columns = code.map((_, x) => code.map((row) => row[x] === true));
  let sum = 0;
  for (const line of [...code, ...columns]) {
    for (let start = 0; start < line.length; ) {
      let end = start;
      while (line[end] === line[start] && end < line.length) end += 1;
      if (end - start >= 5) sum += end - start - 2;
      start = end;
    }
  }
  let dark = 0;
  for (const [y, row] of code.entries()) {
    for (const [x, each] of row.entries()) {
      if (each) dark += 1;
      const block = [row[x + 1], code[y + 1]?.[x], code[y + 1]?.[x + 1]];
      if (block.every((other) => other === each)) sum += 3;
    }
  }
  return sum + Math.floor(Math.abs((dark / code.length ** 2) * 20 - 10)) * 10;
}
