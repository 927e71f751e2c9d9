import { wordsOf } from "./shell-words.ts";

/** Subject of a `writeStdin` question. */
export interface TypedInput {
  /** The process that is typed into, as the server calls it. */
  readonly processId: string;
  /** Exactly what is typed. */
  readonly text: string;
}

/** Reads `write_stdin --session-id ID TEXT`, as servers ask whether input may be typed; nothing where it is anything else. */
export function typedInput(command: string): TypedInput | undefined {
  const words = wordsOf(command);
  const [program, flag, processId = "", text = ""] = words ?? [];
  if (words?.length !== 4 || program !== "write_stdin" || flag !== "--session-id") return undefined;
  return { processId, text };
}
