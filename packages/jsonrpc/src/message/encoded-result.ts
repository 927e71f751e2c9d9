/**
 * A result that is JSON already, as text or in UTF-8. A handler gives it for what is too large to be encoded at once, or
 * to be made into text and back: a transport that can sends the bytes as they are.
 */
export class EncodedResult {
  readonly json: string | Uint8Array;

  constructor(json: string | Uint8Array) {
    this.json = json;
  }
}
