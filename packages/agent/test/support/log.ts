/** A logger that remembers what it was told. */
export function memoryLogger() {
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  return { lines, logger: { info: note, warn: note, error: note } };
}
