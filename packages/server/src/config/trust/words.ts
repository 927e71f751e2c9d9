import { impliedBy } from "./implied-words.ts";

/** Expansions: the text after one may be the end of a path. */
const expansion = /\$\{[^}]{0,200}\}|\$\w+/g;
/** Redirections of output, which name nothing that is run. `2>&1` names no file. */
const redirection = /(?<!\d)\d*>{1,2}\|?\s{0,20}(?!&)(?:"[^"]{0,4096}"|'[^']{0,4096}'|[^\s;|&()<>"']+)/g;
const commandEnd = /\$\(|[;|&()`\n{}]/;
/** Splits a word that holds several: `--import=./a.mjs`, `a:b`. */
const innerSeparator = /[=:,]/;

/** The words of a shell command that may name a file, generously: a word too many costs a look at the disk. */
export function shellWords(command: string): Set<string> {
  const words = new Set<string>();
  const text = command.replaceAll(redirection, " ").replaceAll(expansion, "\0");
  for (const [, quoted] of [...text.matchAll(/"([^"]*)"/g), ...text.matchAll(/'([^']*)'/g)]) add(words, quoted ?? "");
  for (const simple of text.split(commandEnd)) {
    const own = (simple.match(/(?:\\.|[^\s<"'])+/g) ?? []).map((word) => word.replaceAll(/\\(.)/g, "$1"));
    for (const word of own) add(words, word);
  }
  return words;
}

/** The words of an argument list that may name a file. */
export function argumentWords([program = "", ...args]: readonly string[]): Set<string> {
  const words = new Set<string>();
  add(words, program);
  for (const word of args) {
    add(words, word);
    // A shell's script is an argument too.
    if (/\s/.test(word)) for (const inner of shellWords(word)) words.add(inner);
  }
  return words;
}

/** The words of any text of a configuration, which may be a command, an argument or neither. */
export function textWords(text: string): Set<string> {
  return new Set([...shellWords(text), ...argumentWords(["", text])]);
}

function add(words: Set<string>, word: string): void {
  for (const part of word.split("\0")) {
    if (part === "") continue;
    words.add(part);
    for (const file of impliedBy(part)) words.add(file);
    for (const piece of part.split(innerSeparator)) if (piece !== "") words.add(piece);
  }
}
