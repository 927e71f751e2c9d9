import { findLines } from "./find-lines.ts";
import { joinLines, type Line, splitLines } from "./lines.ts";
import { type Chunk, type ChunkLine, PatchError } from "./patch.ts";

/** Applies chunks from top to bottom. Kept lines stay identical to the byte; new ones get the file's line ending. */
export function updateText(text: string, chunks: readonly Chunk[], path: string): string {
  const lines = splitLines(text);
  const ending = lines[0]?.ending || "\n";
  const result: Line[] = [];
  let done = 0;
  for (const [index, chunk] of chunks.entries()) {
    const place = locate(lines, done, chunk, { path, which: `hunk ${index + 1} of ${chunks.length}` });
    result.push(...lines.slice(done, place.at));
    done = apply(place.lines, lines, place.at, (line) => result.push(line), ending);
  }
  result.push(...lines.slice(done));
  return joinLines(withoutGaps(result, lines.at(-1)?.ending ?? "\n", ending));
}

interface Place {
  readonly at: number;
  readonly lines: readonly ChunkLine[];
}

function locate(
  lines: readonly Line[],
  from: number,
  chunk: Chunk,
  { path, which }: { path: string; which: string },
): Place {
  let start = from;
  for (const heading of chunk.headings) {
    const at = findLines(lines, { wanted: [heading], from: start, atEnd: false });
    if (at < 0) {
      throw new PatchError(
        `Failed to find context '${heading}' in ${path}\n(${which}, line ${chunk.patchLine} of the patch: no such line after line ${start} of the file)`,
      );
    }
    start = at + 1;
  }
  const wanted = chunk.lines.filter(({ kind }) => kind !== "insert").map(({ text }) => text);
  if (wanted.length === 0) return { at: chunk.headings.length > 0 ? start : lines.length, lines: chunk.lines };
  const at = findLines(lines, { wanted, from: start, atEnd: chunk.atEnd });
  if (at >= 0) return { at, lines: chunk.lines };
  const shorter = withoutBlankEnd(chunk.lines);
  if (shorter.length < chunk.lines.length)
    return locate(lines, start, { ...chunk, headings: [], lines: shorter }, { path, which });
  throw new PatchError(
    `Failed to find expected lines in ${path}:\n${wanted.join("\n")}\n(${which}, line ${chunk.patchLine} of the patch: ${explainMismatch(lines, start, wanted)})`,
  );
}

/** Blank lines at the end of a chunk are usually layout of the patch, not content. */
function withoutBlankEnd(lines: readonly ChunkLine[]): readonly ChunkLine[] {
  const last = lines.at(-1);
  return last?.kind === "keep" && last.text === "" && lines.length > 1 ? lines.slice(0, -1) : lines;
}

/** The remedy, by the place that fits best. */
function explainMismatch(lines: readonly Line[], from: number, wanted: readonly string[]): string {
  if (findLines(lines, { wanted, from: 0, atEnd: false }) >= 0) {
    return `they stand before line ${from + 1}, which an earlier hunk has passed; order hunks from top to bottom`;
  }
  let best = { at: -1, matched: 0 };
  for (let at = 0; at < lines.length; at++) {
    let matched = 0;
    while (matched < wanted.length && lines[at + matched]?.text.trim() === wanted[matched]?.trim()) matched += 1;
    if (matched > best.matched) best = { at, matched };
  }
  if (best.at < 0) return "not even the first of them is in the file; read the file again";
  const found = lines[best.at + best.matched];
  const what = found ? `line ${best.at + best.matched + 1} is '${found.text}'` : "the file ends there";
  return `line ${best.at + 1} fits, but after ${best.matched} of ${wanted.length} lines ${what} instead of '${wanted[best.matched]}'`;
}

function apply(
  chunk: readonly ChunkLine[],
  lines: readonly Line[],
  at: number,
  push: (line: Line) => void,
  ending: string,
): number {
  let next = at;
  for (const { kind, text } of chunk) {
    if (kind === "insert") push({ text, ending });
    else {
      const line = lines[next];
      if (kind === "keep" && line) push(line);
      next += 1;
    }
  }
  return next;
}

/** Gives every line but the last an ending, and the last one that of the file's last line. */
function withoutGaps(lines: readonly Line[], lastEnding: string, ending: string): Line[] {
  return lines.map((line, index) => {
    if (index === lines.length - 1)
      return lastEnding === "" ? { ...line, ending: "" } : { ...line, ending: line.ending || ending };
    return line.ending === "" ? { ...line, ending } : line;
  });
}
