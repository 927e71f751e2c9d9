/** True if somebody sits at a terminal. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** Serializes questions: several at once would read each other's answers. */
let last: Promise<unknown> = Promise.resolve();

/** Asks on the terminal for a line. Empty when the question is withdrawn or the terminal is gone. */
export function ask(question: string, signal: AbortSignal): Promise<string> {
  const answer = last.then(() => askNow(question, signal));
  last = answer.catch(() => undefined);
  return answer;
}

async function askNow(question: string, signal: AbortSignal): Promise<string> {
  await dropTypedAhead();
  if (signal.aborted) return "";
  const { createInterface } = await import("node:readline/promises");
  // Not as a terminal: Ctrl-C must continue to interrupt the turn.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    return await Promise.race([terminal.question(question, { signal }), closed]);
  } catch {
    process.stderr.write("(withdrawn)\n");
    return "";
  } finally {
    terminal.close();
  }
}

/** Time that the terminal has to hand over what was typed before the question. */
const typedAheadMs = 100;

/** Reads what was typed before the question was there, and forgets it: it cannot be the answer. */
async function dropTypedAhead(): Promise<void> {
  const drop = () => undefined;
  process.stdin.on("data", drop).resume();
  await Bun.sleep(typedAheadMs);
  process.stdin.off("data", drop).pause();
}
