/** Deeper arguments are no flaw that can be mended. */
const maxDepth = 64;

/**
 * The JSON that a model most likely meant by text that is almost JSON: with fences or tags around it, single quotes, bare
 * names, raw line ends, Python's words, commas too many, or brackets missing at the very end. `undefined` where that is a
 * guess, above all for a text that is cut short: half a command is another command.
 */
export function repairObject(text: string): string | undefined {
  try {
    const reader = new Reader(stripped(text));
    const value = reader.object();
    return reader.isAtEnd ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Without code fences, and without the tags that templates of open models put around calls. */
function stripped(text: string): string {
  return text
    .trim()
    .replace(/^(?:<tool_call>|<\|[\w|]+\|>)\s*/, "")
    .replace(/\s*(?:<\/tool_call>|<\|[\w|]+\|>)$/, "")
    .replace(/^```(?:json)?\s*/, "")
    .replace(/\s*```$/, "");
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({ true: true, True: true, false: false, False: false, null: null, None: null }),
);

const escapes: ReadonlyMap<string, string> = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#next() === undefined;
  }

  object(): Record<string, unknown> {
    this.#expect("{");
    const entries: [string, unknown][] = [];
    while (!this.#closes("}")) {
      const key = this.#key();
      this.#expect(":");
      entries.push([key, this.#value()]);
    }
    return Object.fromEntries(entries);
  }

  #value(): unknown {
    const next = this.#next();
    if (next === "{") return this.object();
    if (next === "[") return this.#list();
    if (next === '"' || next === "'") return this.#string();
    const word = this.#take(/[^\s,}\]]+/y);
    if (words.has(word)) return words.get(word);
    // At the end of all text, it may be a part of a longer one.
    if (this.isAtEnd) throw new SyntaxError("cut short");
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(word)) return Number(word);
    throw new SyntaxError(word);
  }

  #list(): unknown[] {
    this.#expect("[");
    const entries: unknown[] = [];
    while (!this.#closes("]")) entries.push(this.#value());
    return entries;
  }

  #key(): string {
    const next = this.#next();
    return next === '"' || next === "'" ? this.#string() : this.#take(/[A-Za-z_][\w-]*/y);
  }

  /** A text ends with its own quote, and only where an end can be. */
  #string(): string {
    const quote = this.#text[this.#at++];
    let value = "";
    for (let char = this.#text[this.#at++]; char !== quote; char = this.#text[this.#at++]) {
      if (char === undefined) throw new SyntaxError("cut short");
      value += char === "\\" ? this.#escape() : char;
    }
    const after = this.#next();
    if (after !== undefined && !",:}]".includes(after)) throw new SyntaxError("a quote within the text");
    return value;
  }

  #escape(): string {
    const char = this.#text[this.#at++] ?? "";
    if (char === "u") return String.fromCharCode(Number.parseInt(this.#take(/[0-9a-f]{4}/iy), 16));
    // Backslashes of patterns and paths are often not doubled.
    return escapes.get(char) ?? ("\"\\/'".includes(char) ? char : `\\${char}`);
  }

  /** True at the closing bracket; also at the end of all text, where only brackets can be missing. */
  #closes(bracket: string): boolean {
    if (this.#next() === ",") this.#at++;
    const next = this.#next();
    if (next === bracket) this.#at++;
    if (next !== bracket && next !== undefined) return false;
    this.#depth--;
    return true;
  }

  #expect(char: string): void {
    if (this.#next() !== char) throw new SyntaxError(`no ${char}`);
    this.#at++;
    if (char !== ":" && ++this.#depth > maxDepth) throw new SyntaxError("too deep");
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new SyntaxError("unexpected");
    this.#at += found.length;
    return found;
  }

  /** The next character that is no space; `undefined` at the end. */
  #next(): string | undefined {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at];
  }
}
