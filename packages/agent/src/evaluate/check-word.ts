import { AgentConfigError } from "./config-error.ts";

/** Throws where an option is set to none of the words that it may be. */
export function checkWord(option: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || value === null || words.includes(value as string)) return;
  throw new AgentConfigError(`${option} must be one of ${words.join(", ")}, not ${JSON.stringify(value)}`);
}
