/** Up to this many characters a text is one segment. */
const wholeLimit = 8000;

/** A segment is cut at the first good place behind this many characters. */
const wanted = 3000;

/** Without a good place it is cut here, except within a code fence. */
const most = 5000;

/** A line is cut when it is longer than this, which no sane paragraph is. */
const longLine = 1.5 * most;

/** A line that is cut is cut into stretches of this length at most. The last of them grows to twice that. */
const stretch = 2000;

/** Places for a cut within a line, at the end of what is matched: behind a sentence, or else behind a word. */
const sentenceEnd = /.*[.!?] (?=\p{L})/su;
const wordEnd = /.*\s(?=\p{L})/su;

const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Cuts a long markdown text, also while it grows, into segments that are shown one by one: only those in sight are in
 * the document, and only the last is read again when text is added. Segments begin where a paragraph or heading does.
 */
export class SegmentIndex {
  #text = "";
  #starts: number[] = [0];
  /** Start of the next line to read. */
  #line = 0;
  /** That line is known to be long: its beginning was looked at, though not its end. */
  #begun = false;
  #fence: string | null = null;
  #blankBefore = false;

  /** Starts of the segments of the text; always at least one. */
  update(text: string): readonly number[] {
    if (text.length <= wholeLimit && this.#starts.length === 1) return this.#starts;
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#line); end !== -1; end = text.indexOf("\n", this.#line)) {
      this.#readLine(end);
      this.#line = end + 1;
      this.#begun = false;
    }
    if (text.length - this.#line > longLine) this.#readLine(text.length);
    return this.#starts;
  }

  #restart(): void {
    this.#starts = [0];
    this.#line = 0;
    this.#begun = false;
    this.#fence = null;
    this.#blankBefore = false;
  }

  #readLine(end: number): void {
    if (!this.#begun) this.#readBeginning(this.#text.slice(this.#line, Math.min(end, this.#line + 80)));
    this.#begun = true;
    if (this.#fence === null) this.#cutWithin(end);
  }

  /** The beginning of a line is enough to see what it is. */
  #readBeginning(line: string): void {
    const length = this.#line - this.#lastStart();
    const good = /^#{1,6} /.test(line) || (this.#blankBefore && /^[^\s>|*+\-\d]/.test(line));
    if (this.#fence === null && length > 0 && ((length >= wanted && good) || length >= most)) {
      this.#starts.push(this.#line);
    }
    const marks = fence.exec(line)?.[1];
    if (this.#fence === null) this.#fence = marks ?? null;
    else if (marks?.startsWith(this.#fence) === true) this.#fence = null;
    this.#blankBefore = line.trim() === "";
  }

  /** Cuts a very long line, so that it cannot make the page stall. */
  #cutWithin(end: number): void {
    if (this.#lastStart() <= this.#line && end - this.#line <= longLine) return;
    for (let from = Math.max(this.#line, this.#lastStart()); end - from > 2 * stretch; from = this.#lastStart()) {
      this.#starts.push(from + cutAt(this.#text.slice(from, from + stretch + 2)));
    }
  }

  #lastStart(): number {
    return this.#starts.at(-1) ?? 0;
  }
}

/** True where the text continues on the same line: the cut is within a paragraph. */
export const continuesAt = (text: string, place: number): boolean => place > 0 && text[place - 1] !== "\n";

/** End of the first part of a text: in its second half, between words where there are any. */
function cutAt(text: string): number {
  const half = stretch / 2;
  const later = text.slice(half);
  const found = sentenceEnd.exec(later) ?? wordEnd.exec(later);
  if (found !== null) return half + found[0].length;
  const code = text.charCodeAt(stretch);
  return code >= 0xdc00 && code <= 0xdfff ? stretch + 1 : stretch;
}
