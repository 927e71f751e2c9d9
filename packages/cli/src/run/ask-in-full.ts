import { ask } from "./ask.ts";
import type { QuestionText } from "./describe-question.ts";

/** Lines of a question that are shown before the rest has to be asked for, and how many of them are its last. */
const mostLines = 200;
const lastLines = 40;

/**
 * Asks a question. Of a long one the middle is left out, with the number of its lines, and then it can be answered with
 * yes only after all of it has been shown.
 *
 * @param choices What can be typed, for the end of the question.
 */
export async function askInFull(text: QuestionText, choices: string, signal: AbortSignal): Promise<string> {
  const isLong = text.length > mostLines;
  if (!isLong) return answer(await ask(`${text.join("\n")}\n${choices}: `, signal));
  const left = (text.length - mostLines).toLocaleString("en-US");
  const short = [...text.slice(0, mostLines - lastLines), `  … ${left} lines hidden …`, ...text.slice(-lastLines)];
  const first = answer(await ask(`${short.join("\n")}\n[v]iew all to approve, [n]o:  `, signal));
  if (first !== "v" && first !== "view") return first === "q" ? first : "n";
  return answer(await ask(`${text.join("\n")}\n${choices}: `, signal));
}

const answer = (typed: string): string => typed.trim().toLowerCase();
