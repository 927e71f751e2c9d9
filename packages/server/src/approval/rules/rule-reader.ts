/** A value in a rules file. */
export type RuleValue = string | boolean | null | readonly RuleValue[];

/** A call in a rules file. */
export interface RuleCall {
  readonly name: string;
  readonly args: ReadonlyMap<string, RuleValue>;
  readonly line: number;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);

/** Numeric escapes, with their number of digits. */
const numbered: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

const maxDepth = 8;

/** Reads the calls of a rules file, one after the other: `name(key = value, …)`, with texts, lists and comments. */
export class RuleReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** From 1. */
  get line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  /** Skips unreadable text up to the next line that begins a call. Returns the skipped text. */
  skipToNextCall(from: number): string {
    const rest = /\n[A-Za-z_]\w*[ \t]*\(/.exec(this.#text.slice(Math.max(from + 1, 0)));
    this.#at = rest === null ? this.#text.length : from + 1 + rest.index + 1;
    return this.#text.slice(from, this.#at);
  }

  get position(): number {
    this.#skip();
    return this.#at;
  }

  /** The next call; `undefined` at the end. Throws on a problem. */
  next(): RuleCall | undefined {
    this.#skip();
    if (this.#at >= this.#text.length) return undefined;
    const { line } = this;
    const name = this.#name();
    this.#expect("(");
    const args = new Map<string, RuleValue>();
    while (!this.#take(")")) {
      const key = this.#name();
      this.#expect("=");
      args.set(key, this.#value(0));
      if (!this.#take(",")) {
        this.#expect(")");
        break;
      }
    }
    return { name, args, line };
  }

  #value(depth: number): RuleValue {
    this.#skip();
    const char = this.#text[this.#at];
    if (char === '"' || char === "'") return this.#string(char);
    if (char === "[") return this.#list(depth);
    const word = this.#name();
    if (word === "True" || word === "False") return word === "True";
    if (word === "None") return null;
    throw new Error(`\`${word}\` is no text, list, True, False or None`);
  }

  #list(depth: number): RuleValue[] {
    if (depth >= maxDepth) throw new Error("lists are nested too deeply");
    this.#expect("[");
    const values: RuleValue[] = [];
    while (!this.#take("]")) {
      values.push(this.#value(depth + 1));
      if (!this.#take(",")) {
        this.#expect("]");
        break;
      }
    }
    return values;
  }

  #string(quote: string): string {
    let text = "";
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined || char === "\n") throw new Error("a text is not closed");
      if (char === quote) break;
      text += char === "\\" ? this.#escaped() : char;
    }
    this.#at += 1;
    return text;
  }

  /** The meaning of a backslash escape; stops before its last character. */
  #escaped(): string {
    this.#at += 1;
    const char = this.#text[this.#at] ?? "";
    const size = numbered.get(char);
    if (size !== undefined) {
      const digits = this.#text.slice(this.#at + 1, this.#at + 1 + size);
      const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === size ? Number.parseInt(digits, 16) : Infinity;
      if (code > 0x10ffff) throw new Error(`\`\\${char}\` needs ${size} hexadecimal digits`);
      this.#at += size;
      return String.fromCodePoint(code);
    }
    const meant = escapes.get(char);
    if (meant === undefined) throw new Error(`\`\\${char}\` is not known`);
    return meant;
  }

  #name(): string {
    this.#skip();
    const name = /^[A-Za-z_]\w*/.exec(this.#text.slice(this.#at, this.#at + 256))?.[0];
    if (name === undefined) throw new Error(`unexpected ${JSON.stringify(this.#text[this.#at] ?? "end")}`);
    this.#at += name.length;
    return name;
  }

  #take(char: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #expect(char: string): void {
    if (!this.#take(char)) throw new Error(`\`${char}\` expected`);
  }

  #skip(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (char !== undefined && /\s/.test(char)) this.#at += 1;
      else return;
    }
  }
}
