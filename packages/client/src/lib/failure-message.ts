/** The message of anything that was thrown. */
export function failureMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
