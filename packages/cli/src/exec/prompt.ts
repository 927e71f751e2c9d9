/** Ends the command with code 1 and this message alone, as Codex words it. */
export class ExecError extends Error {}

/** The prompt of a new thread: the argument, with what is piped in added to it, or what is piped in. */
export async function newPrompt(argument: string | undefined): Promise<string> {
  if (argument === undefined || argument === "-" || process.stdin.isTTY) return promptFrom(argument);
  process.stderr.write("Reading additional input from stdin...\n");
  const more = await readStdin();
  if (more.trim() === "") return argument;
  return `${argument}\n\n<stdin>\n${more}${more.endsWith("\n") ? "" : "\n"}</stdin>`;
}

/** A prompt that is either the argument or, without one or with `-`, what is piped in. */
export async function promptFrom(argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== "-") return argument;
  if (argument === undefined) {
    if (process.stdin.isTTY)
      throw new ExecError("No prompt provided. Either specify one as an argument or pipe the prompt into stdin.");
    process.stderr.write("Reading prompt from stdin...\n");
  }
  const text = await readStdin();
  if (text.trim() === "") throw new ExecError("No prompt provided via stdin.");
  return text;
}

async function readStdin(): Promise<string> {
  const bytes = await Bun.stdin.bytes();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ExecError("Failed to read prompt from stdin: input is not valid UTF-8. Convert it, as with iconv.");
  }
}
