/** A line and what ended it: `\n`, `\r\n`, or nothing at the end of a file. */
export interface Line {
  readonly text: string;
  readonly ending: string;
}

/** Cuts a text into lines. Joining text and ending of each gives it back. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    const crlf = at > start && text[at - 1] === "\r";
    lines.push({ text: text.slice(start, crlf ? end - 1 : end), ending: at < 0 ? "" : crlf ? "\r\n" : "\n" });
    start = at < 0 ? text.length : at + 1;
  }
  return lines;
}

/** The text of lines. */
export function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, ending }) => text + ending).join("");
}
