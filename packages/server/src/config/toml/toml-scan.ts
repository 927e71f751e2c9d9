/** A `key = value` of a TOML text. */
export interface TomlPair {
  readonly kind: "pair";
  /** The full path, including its table's. */
  readonly path: readonly string[];
  readonly table: readonly string[];
  /** True in an array of tables, where a path alone does not identify the element. */
  readonly inArray: boolean;
  /** From the beginning of its first line to the end of its last. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A `[table]` or `[[element]]`. */
export interface TomlHeader {
  readonly kind: "header";
  readonly path: readonly string[];
  readonly inArray: boolean;
  readonly start: number;
  readonly end: number;
}

/** Finds headers and pairs of a text that is known to be valid TOML, with their places. */
export function scanToml(text: string): (TomlPair | TomlHeader)[] {
  const found: (TomlPair | TomlHeader)[] = [];
  const arrays: (readonly string[])[] = [];
  let table: readonly string[] = [];
  let inArray = false;
  for (let at = 0; at < text.length; ) {
    const start = at;
    at = skipBlanks(text, at);
    if (at >= text.length || text[at] === "\n" || text[at] === "\r" || text[at] === "#") {
      at = lineEnd(text, at);
    } else if (text[at] === "[") {
      const isElement = text[at + 1] === "[";
      table = readKey(text, at + (isElement ? 2 : 1)).path;
      if (isElement) arrays.push(table);
      inArray = arrays.some((array) => isBelow(table, array));
      at = lineEnd(text, at);
      found.push({ kind: "header", path: table, inArray, start, end: at });
    } else {
      const key = readKey(text, at);
      const valueStart = skipBlanks(text, key.end + 1);
      const valueEnd = skipValue(text, valueStart);
      at = lineEnd(text, valueEnd);
      found.push({ kind: "pair", path: [...table, ...key.path], table, inArray, start, end: at, valueStart, valueEnd });
    }
  }
  return found;
}

/** True when a path equals the other or continues it. */
export function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return path.length >= other.length && other.every((part, index) => path[index] === part);
}

/** Reads a dotted key; `end` is the index of its `=` or `]`. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = from;
  for (;;) {
    at = skipBlanks(text, at);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = skipString(text, at);
      const raw = text.slice(at, end);
      path.push(quote === '"' ? (Bun.TOML.parse(`k = ${raw}`) as { k: string }).k : raw.slice(1, -1));
      at = end;
    } else {
      const bare = /[A-Za-z0-9_-]*/y;
      bare.lastIndex = at;
      const part = bare.exec(text)?.[0] ?? "";
      path.push(part);
      at += part.length;
    }
    at = skipBlanks(text, at);
    if (text[at] !== ".") return { path, end: at };
    at += 1;
  }
}

function skipValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"' || first === "'") return skipString(text, from);
  if (first !== "[" && first !== "{") {
    const scalar = /[^,#\n\r\]}]*/y;
    scalar.lastIndex = from;
    return from + (scalar.exec(text)?.[0].trimEnd().length ?? 0);
  }
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const char = text[at];
    if (char === '"' || char === "'") at = skipString(text, at);
    else if (char === "#") at = lineEnd(text, at);
    else {
      if (char === "[" || char === "{") depth += 1;
      if (char === "]" || char === "}") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

function skipString(text: string, from: number): number {
  const quote = text[from] as string;
  const long = quote.repeat(3);
  const isLong = text.startsWith(long, from);
  for (let at = from + (isLong ? 3 : 1); at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at += 1;
    else if (!isLong && text[at] === quote) return at + 1;
    else if (isLong && text.startsWith(long, at)) {
      // Up to two quotes may precede the closing three.
      let end = at + 3;
      while (text[end] === quote) end += 1;
      return end;
    }
  }
  return text.length;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline < 0 ? text.length : newline + 1;
}
