/** Options of {@link compileGlob}. */
export interface GlobOptions {
  /** Upper and lower case are the same. */
  readonly ignoreCase?: boolean;
  /** Lets `*` and `?` match slashes too, and makes nothing else special. */
  readonly flat?: boolean;
}

/** A compiled glob. */
export interface Glob {
  /** Number of parts. A match takes at most about this many steps for each character of the text. */
  readonly size: number;
  matches(text: string): boolean;
}

/** Codes of parts that are not a character. Sets are numbered below these. */
const any = -1;
const star = -2;
/** Any number of whole folders, also none. */
const folders = -3;
/** All that is left, at least one character. */
const rest = -4;
const firstSet = -5;

const slash = 0x2f;

/**
 * Compiles a glob in the syntax of `.gitignore`: `*`, `?`, `[a-z]`, `[!a-z]`, `\` and `**`. Patterns come from
 * strangers, so matching never takes exponential time: on failure it goes back to the last `*`, then to the last `**`.
 */
export function compileGlob(pattern: string, { ignoreCase = false, flat = false }: GlobOptions = {}): Glob {
  const { parts, sets } = new Reader(ignoreCase ? pattern.toLowerCase() : pattern, flat);
  const matches = (text: string) => matchParts(parts, sets, { text, flat });
  return { size: parts.length, matches: ignoreCase ? (text) => matches(text.toLowerCase()) : matches };
}

interface CharacterSet {
  readonly not: boolean;
  readonly ranges: readonly number[];
}

class Reader {
  readonly parts: number[] = [];
  readonly sets: CharacterSet[] = [];

  constructor(pattern: string, flat: boolean) {
    for (let at = 0; at < pattern.length; ) at = this.#part(pattern, at, flat);
  }

  /** Reads one part. Returns the index of the next. */
  #part(pattern: string, at: number, flat: boolean): number {
    const character = pattern[at];
    if (character === "?") return this.#push(any, at + 1);
    if (character === "*") return flat ? this.#stars(pattern, at) : this.#starsOfPath(pattern, at);
    if (flat) return this.#push(pattern.charCodeAt(at), at + 1);
    if (character === "[") return this.#set(pattern, at);
    const literal = character === "\\" && at + 1 < pattern.length ? at + 1 : at;
    return this.#push(pattern.charCodeAt(literal), literal + 1);
  }

  #push(part: number, next: number): number {
    this.parts.push(part);
    return next;
  }

  /** Several in a row are one. */
  #stars(pattern: string, at: number): number {
    let end = at;
    while (pattern[end] === "*") end++;
    return this.#push(star, end);
  }

  #starsOfPath(pattern: string, at: number): number {
    const isPart = pattern[at + 1] === "*" && (at === 0 || pattern[at - 1] === "/");
    if (isPart && pattern[at + 2] === "/") return this.#push(folders, at + 3);
    if (isPart && at + 2 === pattern.length) return this.#push(rest, at + 2);
    return this.#stars(pattern, at);
  }

  #set(pattern: string, at: number): number {
    const not = pattern[at + 1] === "!" || pattern[at + 1] === "^";
    const ranges: number[] = [];
    let next = at + (not ? 2 : 1);
    // A bracket that comes first is one of the characters.
    for (let isFirst = true; pattern[next] !== "]" || isFirst; isFirst = false) {
      if (next >= pattern.length) return this.#push(pattern.charCodeAt(at), at + 1);
      if (pattern[next] === "\\") next++;
      const low = pattern.charCodeAt(next++);
      let high = low;
      if (pattern[next] === "-" && next + 1 < pattern.length && pattern[next + 1] !== "]") {
        next += pattern[next + 1] === "\\" ? 2 : 1;
        high = pattern.charCodeAt(next++);
      }
      ranges.push(low, high);
    }
    this.sets.push({ not, ranges });
    return this.#push(firstSet - this.sets.length + 1, next + 1);
  }
}

/**
 * Walks text and parts side by side. Going back to the last `*` is enough: within a folder the earliest match is the
 * best, and between two `**` so is every run of folders.
 */
function matchParts(
  parts: readonly number[],
  sets: readonly CharacterSet[],
  { text, flat }: { readonly text: string; readonly flat: boolean },
): boolean {
  let at = 0;
  let part = 0;
  /** Positions to resume from after the last `*` and `**`. */
  let starPart = -1;
  let starAt = 0;
  let foldersPart = -1;
  let foldersAt = 0;
  for (;;) {
    const wanted = parts[part];
    if (wanted === folders) {
      foldersPart = ++part;
      foldersAt = at;
      starPart = -1;
    } else if (wanted === star) {
      starPart = ++part;
      starAt = at;
    } else if (wanted === rest && at < text.length) {
      return true;
    } else if (wanted === undefined && at === text.length) {
      return true;
    } else if (wanted !== undefined && at < text.length && fits(wanted, text.charCodeAt(at), { sets, flat })) {
      part++;
      at++;
    } else if (starPart !== -1 && starAt < text.length && (flat || text.charCodeAt(starAt) !== slash)) {
      part = starPart;
      at = ++starAt;
    } else {
      if (foldersPart === -1) return false;
      const next = text.indexOf("/", foldersAt);
      if (next === -1) return false;
      part = foldersPart;
      at = foldersAt = next + 1;
      starPart = -1;
    }
  }
}

function fits(
  part: number,
  character: number,
  { sets, flat }: { readonly sets: readonly CharacterSet[]; readonly flat: boolean },
): boolean {
  if (part >= 0) return part === character;
  if (character === slash && !flat) return false;
  if (part === any) return true;
  const set = sets[firstSet - part];
  if (set === undefined) return false;
  const { not, ranges } = set;
  for (let at = 0; at < ranges.length; at += 2) {
    if (character >= (ranges[at] as number) && character <= (ranges[at + 1] as number)) return !not;
  }
  return not;
}
