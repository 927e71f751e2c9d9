import { ask, canAsk } from "../run/ask.ts";

const never = new AbortController().signal;

/** Asks for one of several answers; the first is the default, also where nobody can answer. */
export async function choose(question: string, answers: Readonly<Record<string, string>>): Promise<string> {
  const names = Object.keys(answers);
  const [first = ""] = names;
  if (!canAsk()) return first;
  const lines = Object.entries(answers).map(
    ([name, meaning], index) => `  ${index + 1}  ${name.padEnd(10)}${meaning}\n`,
  );
  process.stderr.write(`${question}\n${lines.join("")}`);
  const answer = (await ask(`[1] `, never)).trim();
  return names[Number(answer || "1") - 1] ?? answer;
}

/** Asks for words, with a default, which is taken where nobody can answer. */
export async function openQuestion(question: string, fallback: string): Promise<string> {
  if (!canAsk()) return fallback;
  return (await ask(`${question} [${fallback}] `, never)).trim() || fallback;
}
