/** Runs `work` for each input, at most `width` at a time. Returns the results in order; throws the first failure. */
export async function inParallel<Input, Output>(
  inputs: readonly Input[],
  width: number,
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const outputs = new Array<Output>(inputs.length);
  const queue = inputs.entries();
  let failed = false;
  const lane = async () => {
    for (const [index, input] of queue) {
      if (failed) return;
      outputs[index] = await work(input).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, inputs.length) }, lane));
  return outputs;
}
