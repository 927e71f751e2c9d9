/** The command line is wrong. Ends the program with code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
