/** A stretch of text as a person is shown it. */
export interface VisiblePart {
  readonly text: string;
  /** It is a mark that stands for characters nobody would see, such as `⟦ESC⟧`. */
  readonly isMark: boolean;
}

/** Options of the functions here. */
export interface VisibleOptions {
  /** Newlines and tabs become marks too: for titles and table cells. */
  readonly oneLine?: boolean | undefined;
  /**
   * For what people read and do not decide upon: soft hyphens, no-break spaces, joiners and emoji sequences stay as they
   * are, and so do the brackets of marks. What moves the cursor, reorders text or smuggles text in becomes a mark all the
   * same.
   */
  readonly prose?: boolean | undefined;
}

/** Blanks from this many on, and blank lines, become a mark that counts them: what follows would be out of sight. */
const longestBlank = 64;
const mostBlankLines = 8;

/** Text without any of these needs no second look. */
const plain = /^[\x20-\x7e\n]*$/;
const blankRun = / {64}|\n[ \t\n]{8}/;

// Assigned characters that show as themselves. Everything else is hidden, also what a later Unicode may bring.
const shown = String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}\x20\n\t`;
// Letters and symbols by class that show as nothing.
const blanks = String.raw`\p{Default_Ignorable_Code_Point}\u2800\uFFFC`;
const brackets = String.raw`\u27E6\u27E7`;
const marksOnNothing = String.raw`(?<=^|[\s\x21-\x40\x5b-\x60\x7b-\x7e])\p{M}+`;

const hidden = new RegExp(
  [
    String.raw`(?<blankLines>(?<=\n)(?:[ \t]*\n){${mostBlankLines},})`,
    String.raw`(?<blank>[ \t]{${longestBlank},})`,
    // A flood of marks paints over the lines around it.
    String.raw`(?<flood>(?<=\p{M}{4})\p{M}+|${marksOnNothing})`,
    `(?<same>[^${shown}]|[${blanks}${brackets}])\\k<same>*`,
  ].join("|"),
  "gu",
);

const proseKeeps = String.raw`\xA0\xAD\u061C\u200C-\u200F\u2002-\u200A\u202F\u2060\u3000\uFE0E\uFE0F`;
const hiddenInProse = new RegExp(
  [
    String.raw`(?<flood>(?<=\p{M}{8})\p{M}+)`,
    `(?<same>(?!\\r\\n)(?:[^${shown}${proseKeeps}]|(?![${proseKeeps}])[${blanks}]))\\k<same>*`,
  ].join("|"),
  "gu",
);
const lineBreaks = /(?<same>[\r\n\t])\k<same>*/g;

const controlNames =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

/**
 * Text as a person may trust it: every control, bidi, invisible or unusual blank character becomes a mark in `⟦⟧`, such
 * as `⟦ESC⟧`, `⟦U+202E⟧` or `⟦U+200B ×40⟧`, and so do long stretches of blanks. The brackets themselves are marked where
 * the text holds them, so that no text looks like a mark.
 */
export function visibleText(text: string, options: VisibleOptions = {}): string {
  if (isPlain(text, options)) return text;
  return visibleParts(text, options)
    .map((part) => part.text)
    .join("");
}

/** {@link visibleText} in parts, for where marks are shown in a style of their own. */
export function visibleParts(text: string, options: VisibleOptions = {}): readonly VisiblePart[] {
  if (isPlain(text, options)) return [{ text, isMark: false }];
  const parts: VisiblePart[] = [];
  cut(text, options.prose ? hiddenInProse : hidden, parts);
  return options.oneLine ? parts.flatMap(withoutBreaks) : parts;
}

function isPlain(text: string, { oneLine, prose }: VisibleOptions): boolean {
  return plain.test(text) && (prose || !blankRun.test(text)) && !(oneLine && text.includes("\n"));
}

function cut(text: string, what: RegExp, parts: VisiblePart[]): void {
  let end = 0;
  for (const match of text.matchAll(what)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMark: false });
    parts.push(...marksFor(match[0], match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMark: false });
}

function withoutBreaks(part: VisiblePart): readonly VisiblePart[] {
  if (part.isMark) return [part];
  const parts: VisiblePart[] = [];
  cut(part.text, lineBreaks, parts);
  return parts;
}

function marksFor(match: string, groups: Readonly<Record<string, string | undefined>>): readonly VisiblePart[] {
  if (groups.blankLines !== undefined) return [mark(`${match.split("\n").length - 1} blank lines`), newline];
  if (groups.blank !== undefined) return [mark(`${match.length} ${match.includes("\t") ? "blanks" : "spaces"}`)];
  if (groups.same !== undefined) return [mark(nameOf(groups.same, match.length / groups.same.length))];
  return [...match.matchAll(/(\p{M})\1*/gu)].map(([run, char = ""]) => mark(nameOf(char, run.length / char.length)));
}

const newline: VisiblePart = { text: "\n", isMark: false };

function mark(name: string): VisiblePart {
  return { text: `⟦${name}⟧`, isMark: true };
}

function nameOf(char: string, times: number): string {
  const code = char.codePointAt(0) as number;
  const name = controlNames[code] ?? (code === 0x7f ? "DEL" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);
  return times > 1 ? `${name} ×${times}` : name;
}
