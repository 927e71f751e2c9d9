/**
 * To be called before anything is printed. The function it gives is for the end: it resolves when all that was printed has
 * been taken, as leaving before that loses what a pipe had no room for, and returns the exit code, which shows when
 * something was lost. Nothing can be printed afterwards.
 */
export function watchOutput(): (code: number) => Promise<number> {
  const stdout = watch(process.stdout);
  const stderr = watch(process.stderr);
  return async (code) => {
    const lost = await stdout();
    // A reader that has gone has seen what it wanted.
    const isWhole = lost === undefined || lost.code === "EPIPE";
    if (!isWhole) process.stderr.write(`Error: output is incomplete: ${lost.message}\n`);
    await stderr();
    return isWhole || code !== 0 ? code : 1;
  };
}

/** Returns the function that ends a stream and tells what went wrong with it. */
function watch(stream: NodeJS.WriteStream): () => Promise<NodeJS.ErrnoException | undefined> {
  const failed = Promise.withResolvers<NodeJS.ErrnoException>();
  stream.on("error", failed.resolve);
  return async () => {
    // Bun does not tell the end of a stream that has failed.
    await Promise.race([failed.promise, new Promise<void>((resolve) => void stream.end(() => resolve()))]);
    // And a failure only after the end.
    await new Promise((resolve) => setImmediate(resolve));
    return Promise.race([failed.promise, undefined]);
  };
}
