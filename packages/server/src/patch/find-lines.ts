import type { Line } from "./lines.ts";

/** Ways to compare lines, strictest first. A looser one counts only when no stricter one matches. */
const views: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim(),
  (text) => plainPunctuation(text.trim()),
];

/** The lines to find. */
export interface LineQuery {
  readonly wanted: readonly string[];
  readonly from: number;
  /** Try the end of the file first. */
  readonly atEnd: boolean;
}

/** The index of lines in a file; -1 when they are missing. */
export function findLines(lines: readonly Line[], { wanted, from, atEnd }: LineQuery): number {
  const last = lines.length - wanted.length;
  for (const view of views) {
    const seen = wanted.map(view);
    const fits = (at: number) => seen.every((text, offset) => view(lines[at + offset]?.text ?? "") === text);
    if (atEnd && last >= from && fits(last)) return last;
    for (let at = from; at <= last; at++) if (fits(at)) return at;
  }
  return -1;
}

/** Models write plain quotes, dashes and spaces where a file has typographic ones. */
function plainPunctuation(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");
}
