/** The model at the beginning and the one that it is changed to. */
export const models = ["mock-model", "model-2"] as const;

/** Bytes of an answer of the model: the long thread has about 500 kB before it is compacted. */
export const lengths = { short: 600, long: 36_000 } as const;

/** The price of a cached byte beside a new one. */
export const cachedPrice = 0.1;

/** Text of that length. */
export function lines(bytes: number): string {
  const line = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all.\n";
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}
