/** Files after which others get their turn. */
const filesAtATime = 32;

/**
 * Small files are read and written faster than a thread can be asked to do it; this keeps a patch over many of them from
 * holding up the server. To be awaited after each file.
 */
export function yieldOften(): () => Promise<void> | undefined {
  let count = 0;
  return () => {
    count += 1;
    return count % filesAtATime === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  };
}
