/** The limit of an output for the model. */
export interface OutputLimit {
  readonly unit: "chars" | "tokens";
  readonly limit: number;
}

const bytesPerToken = 4;

/** Tokens in so many bytes, roughly. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** The tighter of what holds for all outputs and what the model asked for in this call. */
export function tighterLimit(general: OutputLimit, askedTokens: number | undefined): OutputLimit {
  if (askedTokens === undefined || askedTokens * bytesPerToken >= bytesOf(general)) return general;
  return { unit: "tokens", limit: askedTokens };
}

/** An output that was too long already when it came in. */
export interface RawOutput {
  readonly text: string;
  /** All bytes, including lost ones. */
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

/** Cuts the middle out of long output and says so; beginning and end tell most. Never cuts a character. */
export function truncateOutput(output: RawOutput, limit: OutputLimit): string {
  const shown = cutMiddle(output.text, limit);
  if (shown === output.text && output.omittedBytes === 0) return shown;
  const extent =
    output.omittedBytes > 0
      ? `... ${output.omittedBytes} bytes omitted ...`
      : `Total output lines: ${countLines(output.text)}`;
  return `Warning: truncated output (original token count: ${tokensOf(output.totalBytes)})\n${extent}\n\n${shown}`;
}

/** Both ends of a long text, and between them how much is missing. */
function cutMiddle(text: string, limit: OutputLimit): string {
  const bytes = Buffer.from(text);
  const budget = bytesOf(limit);
  if (bytes.length <= budget) return text;
  const headSize = Math.floor(budget / 2);
  const head = wholeCharsBefore(bytes, Math.min(headSize, bytes.length));
  const tail = wholeCharsFrom(bytes, Math.max(head, bytes.length - (budget - headSize)));
  const cut = bytes.length - budget;
  const marker = limit.unit === "tokens" ? `…${tokensOf(cut)} tokens truncated…` : `…${cut} chars truncated…`;
  return bytes.toString("utf8", 0, head) + marker + bytes.toString("utf8", tail);
}

/** Tool output may be a little longer than a command's, which has a heading too. */
const slack = 1.2;

/** Texts that belong together, cut so that all of them fit. Those for which nothing is left are `undefined`. */
export function cutTogether(texts: readonly string[], limit: OutputLimit): (string | undefined)[] {
  let left = tokensOf(bytesOf(limit) * slack);
  return texts.map((text) => {
    if (left <= 0) return undefined;
    const room = left;
    left -= tokensOf(Buffer.byteLength(text));
    return cutMiddle(text, { unit: "tokens", limit: room });
  });
}

function bytesOf({ unit, limit }: OutputLimit): number {
  return unit === "tokens" ? limit * bytesPerToken : limit;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return text.endsWith("\n") ? lines : lines + 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function wholeCharsBefore(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && isContinuation(bytes[at])) at -= 1;
  return at;
}

function wholeCharsFrom(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isContinuation(bytes[at])) at += 1;
  return at;
}
