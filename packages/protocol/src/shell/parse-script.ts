import { type Token, tokenize, UnclearScript } from "./lexer.ts";
import type { Redirect, Word } from "./word.ts";

/** A command with its words and redirections. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** Commands joined by pipes, and what follows them. */
export interface Pipeline {
  readonly commands: readonly SimpleCommand[];
  /** `&&`, `||`, `;`, a line break, or `&` when it runs in the background; `null` at the end. */
  readonly followedBy: string | null;
}

/** Words that begin anything but a simple command. */
const keywords = new Set(
  "! [[ { } case coproc do done elif else esac fi for function if in select then time until while".split(" "),
);

/**
 * Parses simple commands joined by `|`, `&&`, `||`, `;`, `&` and line breaks. Returns `undefined` for anything else:
 * control flow, groups, functions, substitutions, unclear text. Callers that decide what may run must treat `undefined`
 * as no.
 */
export function parseScript(script: string): Pipeline[] | undefined {
  try {
    return parse(tokenize(script));
  } catch (error) {
    if (error instanceof UnclearScript) return undefined;
    throw error;
  }
}

function parse(tokens: readonly Token[]): Pipeline[] | undefined {
  const pipelines: Pipeline[] = [];
  let commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let redirects: Redirect[] = [];
  const closeCommand = (): boolean => {
    const empty = words.length + redirects.length === 0;
    if (!empty) commands.push({ words, redirects });
    words = [];
    redirects = [];
    return !empty;
  };
  /** True after an operator that needs a command. */
  let awaiting = false;
  for (const token of tokens) {
    if (token.kind === "redirect") redirects.push(token.redirect);
    else if (token.kind === "word") {
      if (words.length === 0 && isKeyword(token.word)) return undefined;
      words.push(token.word);
    } else if (token.text === "|") {
      if (!closeCommand()) return undefined;
      awaiting = true;
      continue;
    } else if (["&&", "||", ";", "&", "\n"].includes(token.text)) {
      if (!closeCommand()) {
        // Line breaks are allowed between commands; nothing else may follow an operator.
        if (token.text === "\n") continue;
        return undefined;
      }
      pipelines.push({ commands, followedBy: token.text });
      commands = [];
      awaiting = token.text === "&&" || token.text === "||";
      continue;
    } else return undefined;
    awaiting = false;
  }
  if (closeCommand()) pipelines.push({ commands, followedBy: null });
  return awaiting ? undefined : pipelines;
}

function isKeyword({ raw, quoted }: Word): boolean {
  return !quoted && keywords.has(raw);
}

/** True when a word before a command sets a variable. */
export function isAssignment({ raw }: Word): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(raw);
}

/** The commands of a script of literal words only; `undefined` when it has anything else. */
export function plainCommands(pipelines: readonly Pipeline[]): string[][][] | undefined {
  const plain: string[][][] = [];
  for (const { commands, followedBy } of pipelines) {
    if (followedBy === "&") return undefined;
    const pipeline: string[][] = [];
    for (const { words, redirects } of commands) {
      const literals = words.flatMap(({ literal }) => (literal === undefined ? [] : [literal]));
      if (redirects.length > 0 || literals.length < words.length || (words[0] && isAssignment(words[0])))
        return undefined;
      pipeline.push(literals);
    }
    plain.push(pipeline);
  }
  return plain;
}
