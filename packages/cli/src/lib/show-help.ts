import type { CommandSpec } from "../args/flag.ts";

/** Prints a command's help. Returns the exit code. */
export async function showHelp(spec: CommandSpec): Promise<number> {
  const { formatHelp } = await import("../args/help.ts");
  process.stdout.write(formatHelp(spec));
  return 0;
}
