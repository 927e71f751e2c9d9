/** Bytes that are searched at a time: a fraction of a millisecond. */
const pieceBytes = 1 << 18;

/** Finds the first place of a mark from an offset on, in pieces; -1 without one. */
export function* nextMark(bytes: Buffer, mark: string, from: number): Generator<undefined, number> {
  for (let at = from; at < bytes.length; at += pieceBytes) {
    const found = bytes.subarray(at, at + pieceBytes + mark.length - 1).indexOf(mark);
    if (found !== -1) return at + found;
    yield;
  }
  return -1;
}

/** Finds the last place of a mark that begins before an offset, in pieces; -1 without one. */
export function* lastMark(bytes: Buffer, mark: string, before: number): Generator<undefined, number> {
  for (let end = before; end > 0; end -= pieceBytes) {
    const from = Math.max(0, end - pieceBytes);
    const found = bytes.subarray(from, end + mark.length - 1).lastIndexOf(mark);
    if (found !== -1) return from + found;
    yield;
  }
  return -1;
}
