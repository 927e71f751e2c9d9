/**
 * A result that is JSON already, in UTF-8. A handler gives it for what is too large to be made into text and back: a
 * transport that can sends it as it is.
 */
export class EncodedResult {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
