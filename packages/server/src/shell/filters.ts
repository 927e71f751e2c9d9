import { operands } from "./operands.ts";

/** Commands that, at the end of a pipe, only reshape the text. */
const shapers = new Set(["wc", "tr", "cut", "sort", "uniq", "tee", "column", "yes", "printf", "nl", "head", "tail"]);

/** Programs that `xargs` may start without changing anything. */
const mutating = new Set([
  "rm",
  "mv",
  "cp",
  "chmod",
  "chown",
  "mkdir",
  "rmdir",
  "touch",
  "ln",
  "tee",
  "dd",
  "truncate",
]);

/** True when a command at the end of a pipe is not worth showing. */
export function isFilter(words: readonly string[]): boolean {
  const [name = "", ...rest] = words;
  if (shapers.has(name)) return true;
  if (name === "sed")
    return (
      !rest.some((word) => /^(-i|--in-place)/.test(word)) && operands(rest, ["-e", "-f"]).length <= sedScripts(rest)
    );
  if (name === "awk") return operands(rest, ["-F", "-v", "-f"]).length <= 1;
  if (name === "xargs") return !mutates(rest);
  return false;
}

/** True for `sed -n` that prints lines of its input by number. */
export function sedLines(words: readonly string[]): boolean {
  return words[0] === "sed" && words.includes("-n") && words.length === 3 && /^\d+(,\d+)?p$/.test(words[2] ?? "");
}

function sedScripts(rest: readonly string[]): number {
  return rest.includes("-e") || rest.includes("-f") ? 0 : 1;
}

function mutates(words: readonly string[]): boolean {
  const [name = "", ...rest] = operands(words, ["-n", "-I", "-L", "-P", "-d", "-a", "-E", "-s"], true);
  if (mutating.has(name)) return true;
  if (name === "sed" || name === "perl") return rest.some((word) => /^(-i|--in-place|-pi)/.test(word));
  return ["sh", "bash", "zsh", "python", "python3", "node", "env", "sudo"].includes(name);
}
