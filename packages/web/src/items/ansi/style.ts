/** A colour: one of the sixteen by number, any other as `#rrggbb`. */
export type AnsiColour = number | string;

/** Style of a piece of output. */
export interface AnsiStyle {
  readonly fg: AnsiColour | null;
  readonly bg: AnsiColour | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly inverse: boolean;
}

/** Style of output before any escape sequence. */
export const plainStyle: AnsiStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

/** More parameters than any program sends; the rest of a longer sequence is not read. */
const maxParameters = 32;

/** The style after a "select graphic rendition" sequence with these parameters (`1;38;5;208`). */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(/[;:]/, maxParameters).map((part) => (part === "" ? 0 : Number(part)));
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(codes, at + 1);
      if (colour !== null) next = { ...next, [code === 38 ? "fg" : "bg"]: colour };
      at += used;
    } else {
      next = applyCode(next, code);
    }
  }
  return next;
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 };
  const change = changes.get(code);
  return change === undefined ? style : { ...style, ...change };
}

const changes = new Map<number, Partial<AnsiStyle>>([
  [0, plainStyle],
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underline: true }],
  [7, { inverse: true }],
  [9, { strike: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underline: false }],
  [27, { inverse: false }],
  [29, { strike: false }],
  [39, { fg: null }],
  [49, { bg: null }],
]);

/** The colour of `5;N` or `2;R;G;B` that begins at `at`, and how many parameters it took. */
function extendedColour(codes: readonly number[], at: number): readonly [AnsiColour | null, number] {
  if (codes[at] === 5) return [paletteColour(codes[at + 1]), 2];
  if (codes[at] === 2) return [hexColour(codes.slice(at + 1, at + 4)), 4];
  return [null, 0];
}

const cubeSteps = [0, 95, 135, 175, 215, 255];

function paletteColour(index: number | undefined): AnsiColour | null {
  if (index === undefined || !Number.isInteger(index) || index < 0 || index > 255) return null;
  if (index < 16) return index;
  if (index >= 232) return hexColour(new Array<number>(3).fill(8 + (index - 232) * 10));
  const cube = index - 16;
  return hexColour([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => cubeSteps[step] ?? 0));
}

function hexColour(parts: readonly number[]): AnsiColour | null {
  if (parts.length !== 3 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) return null;
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
