import { diffText } from "../items/diff/diff-text.ts";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import { gitWords } from "../words/words.ts";
import type { Pick } from "./repository.ts";

/** More of a diff does not make a better message. */
const maxDiff = 24_000;

/** The question for a commit message of what is chosen. */
export function messagePrompt(picks: readonly Pick[]): string {
  const diff = diffText(picks.map(chosen));
  return [
    "Write the message of a git commit for the diff below.",
    "First line: imperative, at most 72 characters, no full stop. If a reason is worth telling, add a blank line and one short paragraph.",
    "Answer with the message alone, without quotes, fences or remarks. Run no commands.",
    "",
    diff.length > maxDiff ? `${diff.slice(0, maxDiff)}\n[The rest is left out.]` : diff,
  ].join("\n");
}

function chosen({ file, hunks }: Pick): DiffFile {
  return hunks === "all" ? file : { ...file, hunks: file.hunks.filter((_, index) => hunks.includes(index + 1)) };
}

/** The message of a model's answer. */
export function messageOfAnswer(answer: string): string {
  const message = answer.replace(/^```\w*\n?|\n?```$/g, "").trim();
  if (message === "") throw new Error(gitWords.noMessage);
  return message;
}
