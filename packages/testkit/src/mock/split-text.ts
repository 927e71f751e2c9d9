/** Text deltas in order; a promise among them holds the stream until it settles. */
export type Chunks = Iterable<string | PromiseLike<unknown>>;

/**
 * Cuts a text into `count` pieces of about equal length. A surrogate pair stays whole, since half of one is no valid
 * JSON text for a strict parser; so a text of few characters may give fewer pieces.
 */
export function* splitText(text: string, count: number): Generator<string> {
  let start = 0;
  for (let piece = 1; piece <= count; piece++) {
    let end = Math.round((text.length * piece) / count);
    if (isLowSurrogate(text.charCodeAt(end))) end++;
    if (end <= start) continue;
    yield text.slice(start, end);
    start = end;
  }
}

/** `NaN`, which stands for the end of the text, is none. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
