const filesAtATime = 32;

/**
 * To be awaited after each file of a patch, so that many files, which are read synchronously, do not block the server.
 */
export function yieldOften(): () => Promise<void> | undefined {
  let count = 0;
  return () => {
    count += 1;
    return count % filesAtATime === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}
