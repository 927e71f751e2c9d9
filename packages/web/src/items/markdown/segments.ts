/** Up to this many characters a text is one segment. */
const wholeLimit = 8000;

/** A segment is cut at the first good place behind this many characters. */
const wanted = 3000;

/** Without a good place it is cut here, except within a code fence. */
const most = 5000;

const fence = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Cuts a long markdown text, also while it grows, into segments that are shown one by one: only those in sight are in
 * the document, and only the last is read again when text is added. Segments begin where a paragraph or heading does.
 */
export class SegmentIndex {
  #text = "";
  #starts: number[] = [0];
  #scanned = 0;
  #fence: string | null = null;
  #blankBefore = false;

  /** Where the segments of the text begin; always at least one. */
  update(text: string): readonly number[] {
    if (text.length <= wholeLimit && this.#starts.length === 1) return this.#starts;
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    for (let end = text.indexOf("\n", this.#scanned); end !== -1; end = text.indexOf("\n", this.#scanned)) {
      this.#readLine(text.slice(this.#scanned, Math.min(end, this.#scanned + 80)));
      this.#scanned = end + 1;
      this.#cutWithin();
    }
    this.#cutWithin(text.length);
    return this.#starts;
  }

  #restart(): void {
    this.#starts = [0];
    this.#scanned = 0;
    this.#fence = null;
    this.#blankBefore = false;
  }

  /** `line` is the beginning of the line at `#scanned`; enough to see what it is. */
  #readLine(line: string): void {
    const length = this.#scanned - this.#lastStart();
    const good = /^#{1,6} /.test(line) || (this.#blankBefore && /^[^\s>|*+\-\d]/.test(line));
    if (this.#fence === null && length > 0 && ((length >= wanted && good) || length >= most)) {
      this.#starts.push(this.#scanned);
    }
    const marks = fence.exec(line)?.[1];
    if (this.#fence === null) this.#fence = marks ?? null;
    else if (marks?.startsWith(this.#fence) === true) this.#fence = null;
    this.#blankBefore = line.trim() === "";
  }

  /** A line without end is cut anywhere: whoever writes it cannot make the page stall. */
  #cutWithin(end = this.#scanned): void {
    if (this.#fence !== null) return;
    while (end - this.#lastStart() > 1.5 * most) {
      const cut = this.#lastStart() + most;
      const code = this.#text.charCodeAt(cut);
      this.#starts.push(code >= 0xdc00 && code <= 0xdfff ? cut + 1 : cut);
    }
  }

  #lastStart(): number {
    return this.#starts.at(-1) ?? 0;
  }
}
