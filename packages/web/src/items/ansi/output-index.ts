import { type AnsiSpan, parseLine } from "./parse-line.ts";
import { type AnsiStyle, plainStyle } from "./style.ts";

/** Characters of one line that are shown; a longer one says how many are left. */
const maxLineLength = 4000;

/** A line as it is shown. */
export interface OutputLine {
  readonly spans: readonly AnsiSpan[];
  /** Characters that are left out at its end. */
  readonly hidden: number;
}

/**
 * Index of the lines of a growing output: where each begins, and in which style. Reading on after an append costs what
 * was appended; the lines themselves are read when they are shown.
 */
export class OutputIndex {
  #text = "";
  #starts: number[] = [0];
  #styles: AnsiStyle[] = [plainStyle];

  /** Lines in the text; an empty one at its end does not count. */
  get count(): number {
    const last = this.#starts.at(-1) ?? 0;
    return last >= this.#text.length ? this.#starts.length - 1 : this.#starts.length;
  }

  /** Takes the text as it is now. Cheap where it only grew. */
  update(text: string): void {
    if (text === this.#text) return;
    if (!text.startsWith(this.#text)) {
      this.#starts = [0];
      this.#styles = [plainStyle];
    }
    this.#text = text;
    this.#read();
  }

  /** The line with this number, from 0. */
  line(index: number): OutputLine {
    const start = this.#starts[index] ?? this.#text.length;
    const next = this.#starts[index + 1];
    let end = next === undefined ? this.#text.length : next - 1;
    if (this.#text.charAt(end - 1) === "\r") end -= 1;
    // A progress bar returns to the start of its line: what was written last is what a terminal shows.
    const returned = end > start ? this.#text.lastIndexOf("\r", end - 1) : -1;
    const from = returned >= start ? returned + 1 : start;
    const shown = Math.min(end, from + maxLineLength);
    const { spans } = parseLine(this.#text.slice(from, shown), this.#styles[index] ?? plainStyle);
    return { spans, hidden: end - shown };
  }

  #read(): void {
    const text = this.#text;
    let start = this.#starts.at(-1) ?? 0;
    let style = this.#styles.at(-1) ?? plainStyle;
    // Looked up again only once it is behind, or a text without any would be searched to its end for every line.
    let escapeAt = text.indexOf("\u001b", start);
    for (let end = text.indexOf("\n", start); end !== -1; end = text.indexOf("\n", start)) {
      if (escapeAt !== -1 && escapeAt < end) {
        style = parseLine(text.slice(escapeAt, end), style).style;
        escapeAt = text.indexOf("\u001b", end);
      }
      start = end + 1;
      this.#starts.push(start);
      this.#styles.push(style);
    }
  }
}
