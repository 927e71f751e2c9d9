/** A part of a regular expression. */
export type PatternNode =
  | { readonly type: "character"; readonly has: (codePoint: number) => boolean }
  | { readonly type: "assert"; readonly holds: (before: number, after: number) => boolean }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly PatternNode[] }
  | { readonly type: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number | undefined };

type Has = (codePoint: number) => boolean;

/** Deeper groups are no person's, and would take the stack. */
const maxDepth = 100;

/** Reads a regular expression; `undefined` for what is none, or cannot be followed in one pass. */
export function parsePattern(source: string): PatternNode | undefined {
  try {
    return new Reader(source).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

const within =
  (low: number, high: number): Has =>
  (codePoint) =>
    codePoint >= low && codePoint <= high;
const isDigit = within(0x30, 0x39);
const isWord: Has = (codePoint) =>
  isDigit(codePoint) || within(0x41, 0x5a)(codePoint) || within(0x61, 0x7a)(codePoint) || codePoint === 0x5f;
const isSpace: Has = (codePoint) => /\s/.test(String.fromCodePoint(codePoint));
const isNewline: Has = (codePoint) => [0x0a, 0x0d, 0x2028, 0x2029].includes(codePoint);
const not =
  (has: Has): Has =>
  (codePoint) =>
    !has(codePoint);

const classes: ReadonlyMap<string, Has> = new Map([
  ["d", isDigit],
  ["D", not(isDigit)],
  ["w", isWord],
  ["W", not(isWord)],
  ["s", isSpace],
  ["S", not(isSpace)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["f", 0x0c],
  ["v", 0x0b],
  ["0", 0],
]);

/** Before the text and behind it there is -1. */
const atStart = (before: number): boolean => before === -1;
const atEnd = (_: number, after: number): boolean => after === -1;
const atWordEdge = (before: number, after: number): boolean => isWord(before) !== isWord(after);

class Reader {
  readonly #source: string;
  #at = 0;
  #depth = 0;
  #ignoreCase = false;

  constructor(source: string) {
    this.#source = source;
  }

  read(): PatternNode {
    this.#ignoreCase = this.#take(/\(\?i\)/y) !== undefined;
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Unreadable();
    return node;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y)) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: "choice", parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? "")) parts.push(this.#repeated());
    return { type: "sequence", parts };
  }

  #repeated(): PatternNode {
    const part = this.#atom();
    const found = this.#take(/(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})[?]?/y);
    if (found === undefined) return part;
    const [, sign, low = "", comma, high] = found;
    if (sign !== undefined)
      return { type: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : undefined };
    const least = Number(low);
    const most = comma === undefined ? least : high ? Number(high) : undefined;
    if (most !== undefined && most < least) throw new Unreadable();
    return { type: "repeat", part, least, most };
  }

  #atom(): PatternNode {
    const character = this.#source[this.#at] ?? "";
    if (character === "(") return this.#group();
    if (character === "[") return this.#character(this.#set());
    if (character === "\\") return this.#escape();
    // Nothing to repeat.
    if (/[*+?]/.test(character) || /^\{\d+(,\d*)?\}/.test(this.#source.slice(this.#at, this.#at + 12)))
      throw new Unreadable();
    const codePoint = this.#next();
    if (character === "^") return { type: "assert", holds: atStart };
    if (character === "$") return { type: "assert", holds: atEnd };
    return this.#character(character === "." ? not(isNewline) : (each) => each === codePoint);
  }

  #next(): number {
    const codePoint = this.#source.codePointAt(this.#at);
    if (codePoint === undefined) throw new Unreadable();
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  #character(has: Has): PatternNode {
    if (!this.#ignoreCase) return { type: "character", has };
    const cased = (codePoint: number, change: "toLowerCase" | "toUpperCase") =>
      has(String.fromCodePoint(codePoint)[change]().codePointAt(0) ?? -1);
    return {
      type: "character",
      has: (codePoint) => has(codePoint) || cased(codePoint, "toLowerCase") || cased(codePoint, "toUpperCase"),
    };
  }

  #group(): PatternNode {
    if (++this.#depth > maxDepth) throw new Unreadable();
    // Capturing, named or neither; anything else looks around or changes how the rest is read.
    this.#take(/\((?:\?(?::|P?<[A-Za-z_]\w*>))?/y);
    if (this.#source[this.#at] === "?") throw new Unreadable();
    const node = this.#choice();
    if (!this.#take(/\)/y)) throw new Unreadable();
    this.#depth--;
    return node;
  }

  #escape(): PatternNode {
    const letter = this.#source[this.#at + 1] ?? "";
    if (letter === "b" || letter === "B") {
      this.#at += 2;
      const holds = atWordEdge;
      return { type: "assert", holds: letter === "b" ? holds : (before, after) => !holds(before, after) };
    }
    const meant = this.#escaped();
    return this.#character(typeof meant === "number" ? (each) => each === meant : meant);
  }

  /** Parses a character or a class of characters after a backslash. */
  #escaped(): number | Has {
    const property = this.#take(/\\[pP]\{[A-Za-z_]+(?:=[A-Za-z_]+)?\}/y)?.[0];
    if (property !== undefined) return propertyOf(property);
    const code = this.#take(/\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\})/y);
    if (code) return Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    this.#at++;
    const letter = String.fromCodePoint(this.#next());
    const known = classes.get(letter) ?? controls.get(letter);
    if (known !== undefined) return known;
    // Letters and digits have meanings of their own, such as references to groups.
    if (/[A-Za-z0-9]/.test(letter)) throw new Unreadable();
    return letter.codePointAt(0) ?? -1;
  }

  #set(): Has {
    this.#at++;
    const isNot = this.#take(/\^/y) !== undefined;
    const parts: Has[] = [];
    while (!this.#take(/\]/y)) {
      const low = this.#member();
      if (typeof low === "number" && this.#take(/-(?!\])/y)) {
        const high = this.#member();
        if (typeof high !== "number" || high < low) throw new Unreadable();
        parts.push(within(low, high));
      } else parts.push(typeof low === "number" ? (each) => each === low : low);
    }
    const has: Has = (codePoint) => parts.some((part) => part(codePoint));
    return isNot ? not(has) : has;
  }

  #member(): number | Has {
    if (this.#source.startsWith("\\b", this.#at)) {
      this.#at += 2;
      return 0x08;
    }
    return this.#source[this.#at] === "\\" ? this.#escaped() : this.#next();
  }
}

function propertyOf(source: string): Has {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`, "u");
  } catch {
    throw new Unreadable();
  }
  return (codePoint) => pattern.test(String.fromCodePoint(codePoint));
}
