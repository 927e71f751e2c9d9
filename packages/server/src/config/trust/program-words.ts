import { argumentWords, shellWords } from "./words.ts";

/** A program that the configuration has the server start. */
export interface ConfiguredProgram {
  /** Words, or a shell script. */
  readonly command: readonly string[] | string;
  /** May name files to load as well. */
  readonly env: Readonly<Record<string, string>>;
}

/** The words of a program's command line and variables that may name files. */
export function programWords({ command, env }: ConfiguredProgram): Set<string> {
  const words = typeof command === "string" ? shellWords(command) : argumentWords(command);
  for (const value of Object.values(env)) for (const word of argumentWords(["", value])) words.add(word);
  return words;
}

/** The reason why a program is not started. */
export function changedScriptsMessage(files: readonly string[]): string {
  const [first = ""] = files;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : "";
  return `${first}${more} came or changed after you trusted the project. Check it, then run \`quire trust\` in the project.`;
}
