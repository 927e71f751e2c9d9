/** Text that is not valid base64. The message says why. */
export class Base64Error extends Error {}

/** Characters that are decoded at a time: a multiple of four, so that the pieces join. */
const pieceChars = 4 * 256 * 1024;

/** As the language has it; Bun's types are those of a draft. */
type SetFromBase64 = (
  this: Uint8Array,
  text: string,
  options: { readonly lastChunkHandling: "strict" },
) => { readonly written: number };

const setFromBase64 = Uint8Array.prototype.setFromBase64 as unknown as SetFromBase64;

/** Decodes padded base64 strictly, in one copy. Throws a {@link Base64Error} for anything else. */
export function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(bytesOf(text.length));
  let length = 0;
  for (let at = 0; at < text.length; at += pieceChars) length += decodePiece(text, at, bytes.subarray(length));
  return bytes.subarray(0, length);
}

/** Decodes text too large to hold twice, checking it first. A piece is valid until the next but one is requested. */
export function decodeInPieces(text: string): Iterable<Uint8Array> {
  const buffers = [new Uint8Array(bytesOf(pieceChars)), new Uint8Array(bytesOf(pieceChars))] as const;
  for (let at = 0; at < text.length; at += pieceChars) decodePiece(text, at, buffers[0]);
  return pieces(text, buffers);
}

function* pieces(text: string, [even, odd]: readonly [Uint8Array, Uint8Array]): Iterable<Uint8Array> {
  for (let at = 0; at < text.length; at += pieceChars) {
    const buffer = (at / pieceChars) % 2 === 0 ? even : odd;
    yield buffer.subarray(0, decodePiece(text, at, buffer));
  }
}

/** Decodes from an index of the text on. Returns the number of bytes. */
function decodePiece(text: string, at: number, into: Uint8Array): number {
  const piece = text.slice(at, at + pieceChars);
  const isLast = at + pieceChars >= text.length;
  const padding = !isLast ? 0 : piece.endsWith("==") ? 2 : piece.endsWith("=") ? 1 : 0;
  try {
    const { written } = setFromBase64.call(into, piece, { lastChunkHandling: "strict" });
    // White space is skipped by the decoder, and makes the result shorter than the text promises.
    if (written === (piece.length / 4) * 3 - padding) return written;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Base64Error(findProblem(text));
}

/** Upper bound of the bytes in so many characters. */
function bytesOf(chars: number): number {
  return Math.ceil(chars / 4) * 3;
}

function findProblem(text: string): string {
  const offset = text.replace(/={1,2}$/, "").search(/[^A-Za-z0-9+/]/);
  if (offset >= 0) return `Invalid symbol ${text.codePointAt(offset)}, offset ${offset}.`;
  return "Invalid padding";
}
