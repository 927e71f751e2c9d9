const filesAtATime = 32;

/**
 * Keeps a patch over many files from blocking the server: to be awaited after each file. Small files are read and
 * written faster synchronously than on another thread.
 */
export function yieldOften(): () => Promise<void> | undefined {
  let count = 0;
  return () => {
    count += 1;
    return count % filesAtATime === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}
