/** What is wrong with text that should be base64, as far as it is worth telling. */
export class Base64Error extends Error {}

/**
 * Decodes base64 to the letter: padded, nothing but the alphabet. Throws a {@link Base64Error} that says what is wrong.
 * The one copy made is the result.
 */
export function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    // White space is skipped by the decoder, and makes the result shorter than the text promises.
    if (bytes.length === (text.length / 4) * 3 - padding) return bytes;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Base64Error(whatIsWrong(text));
}

function whatIsWrong(text: string): string {
  const offset = text.replace(/={1,2}$/, "").search(/[^A-Za-z0-9+/]/);
  if (offset >= 0) return `Invalid symbol ${text.codePointAt(offset)}, offset ${offset}.`;
  return "Invalid padding";
}
