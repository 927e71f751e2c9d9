import { type AnsiStyle, applySgr } from "./style.ts";

/** A piece of a line that looks the same throughout. */
export interface AnsiSpan {
  readonly text: string;
  readonly style: AnsiStyle;
}

/** A parsed line, and the style with which the next one begins. */
export interface ParsedLine {
  readonly spans: readonly AnsiSpan[];
  readonly style: AnsiStyle;
}

const esc = "\u001b";
const bell = "\u0007";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Reads the escape sequences of one line, in one pass. Colours and faces are kept; whatever moves the cursor, sets
 * titles or links is left out, so output can only look like output.
 */
export function parseLine(line: string, start: AnsiStyle): ParsedLine {
  const spans: AnsiSpan[] = [];
  let style = start;
  let at = 0;
  while (at < line.length) {
    const next = line.indexOf(esc, at);
    const end = next === -1 ? line.length : next;
    const text = line.slice(at, end).replace(controls, "");
    if (text !== "") spans.push({ text, style });
    if (next === -1) break;
    const sequence = readSequence(line, next);
    if (sequence.sgr !== null) style = applySgr(style, sequence.sgr);
    at = sequence.end;
  }
  return { spans, style };
}

interface Sequence {
  readonly end: number;
  /** Parameters, where it changes the style. */
  readonly sgr: string | null;
}

function readSequence(line: string, at: number): Sequence {
  const kind = line.charAt(at + 1);
  if (kind === "[") return readControl(line, at + 2);
  if (kind === "]" || kind === "P" || kind === "_" || kind === "^") return { end: stringEnd(line, at + 2), sgr: null };
  // `ESC (B` and the like choose a character set.
  if (kind !== "" && "()*+#%".includes(kind)) return { end: at + 3, sgr: null };
  return { end: kind === esc ? at + 1 : at + 2, sgr: null };
}

function readControl(line: string, from: number): Sequence {
  let end = from;
  while (end < line.length && isBetween(line.charCodeAt(end), 0x20, 0x3f)) end += 1;
  const parameters = line.slice(from, end);
  if (line.charAt(end) === "m" && /^[0-9;:]*$/.test(parameters)) return { end: end + 1, sgr: parameters };
  return { end: isBetween(line.charCodeAt(end), 0x40, 0x7e) ? end + 1 : end, sgr: null };
}

/** A string ends with a bell or with `ESC \`; any other escape ends it too, so that each byte is looked at once. */
function stringEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === bell) return at + 1;
    if (char === esc) return line.charAt(at + 1) === "\\" ? at + 2 : at;
  }
  return line.length;
}

const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high;
