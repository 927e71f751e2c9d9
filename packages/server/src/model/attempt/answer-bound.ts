import { Failure } from "../failure.ts";

/** Bytes of one answer: several times the longest that a model gives, with all that its wire puts around each word. */
const maxAnswerBytes = 256 * 1024 * 1024;

/** Counts the bytes of one answer: an endpoint that never ends would fill the memory. */
export class AnswerBound {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number = maxAnswerBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Throws a {@link Failure} when the answer has become too long. */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes)
      throw new Failure(`the model's answer cannot be read: it is longer than ${this.#maxBytes} bytes`, "other");
  }
}

/** A body that breaks off with a {@link Failure} when it becomes too long. */
export function boundedBody(body: ReadableStream<Uint8Array>, maxBytes?: number): ReadableStream<Uint8Array> {
  const bound = new AnswerBound(maxBytes);
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        bound.take(piece.length);
        controller.enqueue(piece);
      },
    }),
  );
}
