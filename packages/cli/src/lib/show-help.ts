import type { CommandSpec } from "../args/flag.ts";

/** Prints a command's help. Gives the exit code. */
export async function showHelp(spec: CommandSpec): Promise<number> {
  const { helpOf } = await import("../args/help.ts");
  process.stdout.write(helpOf(spec));
  return 0;
}
