import type { Redirect, Word } from "./word.ts";

/** A word, an operator (a line break is `\n`), or a redirection with its target. */
export type Token =
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "redirect"; readonly redirect: Redirect };

/** Script that cannot be read with certainty: a substitution, an open quote, a here-document without end. */
export class UnclearScript extends Error {
  override readonly name = "UnclearScript";
}

const operators = ["&&", "||", ";;", "|&", "|", ";", "&", "(", ")", "\n"];
const redirections = ["<<<", "<<-", "&>>", "<<", "<>", "<&", ">>", ">&", ">|", "&>", "<", ">"];
const blank = /[ \t]/;
const endsWord = /[ \t\n|&;()<>]/;

/**
 * Splits a POSIX shell or bash script into tokens. Throws {@link UnclearScript} for anything unclear, and for
 * substitutions.
 */
export function tokenize(script: string): Token[] {
  return new Lexer(script).run();
}

interface OpenHereDocument {
  readonly index: number;
  readonly delimiter: string;
  readonly literal: boolean;
  readonly stripTabs: boolean;
}

class Lexer {
  readonly #script: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #open: OpenHereDocument[] = [];

  constructor(script: string) {
    this.#script = script;
  }

  run(): Token[] {
    // The executed script would end there.
    if (this.#script.includes("\0")) throw new UnclearScript("a null character");
    while (this.#skipBlanks()) this.#next();
    if (this.#open.length > 0) throw new UnclearScript("a here-document has no end");
    return this.#tokens;
  }

  #skipBlanks(): boolean {
    for (;;) {
      if (blank.test(this.#peek())) this.#at += 1;
      else if (this.#script.startsWith("\\\n", this.#at)) this.#at += 2;
      else if (this.#peek() === "#") this.#at = this.#lineEnd();
      else return this.#at < this.#script.length;
    }
  }

  #next(): void {
    const descriptor = /^\d+(?=[<>])/.exec(this.#script.slice(this.#at, this.#at + 12))?.[0];
    const redirection = redirections.find((text) =>
      this.#script.startsWith(text, this.#at + (descriptor?.length ?? 0)),
    );
    if (redirection) {
      this.#redirect(redirection, descriptor);
      return;
    }
    const operator = operators.find((text) => this.#script.startsWith(text, this.#at));
    if (!operator) {
      this.#tokens.push({ kind: "word", word: this.#word() });
      return;
    }
    this.#at += operator.length;
    this.#tokens.push({ kind: "operator", text: operator });
    if (operator === "\n") this.#readHereDocuments();
  }

  #redirect(operator: string, descriptor: string | undefined): void {
    this.#at += operator.length + (descriptor?.length ?? 0);
    if (this.#peek() === "(") throw new UnclearScript("a process substitution");
    if (!this.#skipBlanks() || endsWord.test(this.#peek())) throw new UnclearScript("a redirection without a target");
    const target = this.#word();
    const redirect = { operator, descriptor: descriptor === undefined ? null : Number(descriptor), target };
    if (operator === "<<" || operator === "<<-") {
      if (target.literal === undefined) throw new UnclearScript("a here-document with an unclear delimiter");
      const stripTabs = operator === "<<-";
      this.#open.push({ index: this.#tokens.length, delimiter: target.literal, literal: target.quoted, stripTabs });
    }
    this.#tokens.push({ kind: "redirect", redirect });
  }

  #readHereDocuments(): void {
    for (const { index, delimiter, literal, stripTabs } of this.#open) {
      let text = "";
      for (;;) {
        if (this.#at >= this.#script.length) throw new UnclearScript("a here-document has no end");
        const end = this.#lineEnd();
        const line = this.#script.slice(this.#at, end);
        this.#at = Math.min(end + 1, this.#script.length);
        const stripped = stripTabs ? line.replace(/^\t+/, "") : line;
        if (stripped === delimiter) break;
        text += `${stripped}\n`;
      }
      const token = this.#tokens[index];
      if (token?.kind !== "redirect") throw new UnclearScript("a here-document out of place");
      this.#tokens[index] = { kind: "redirect", redirect: { ...token.redirect, body: { text, literal } } };
    }
    this.#open = [];
  }

  #word(): Word {
    const start = this.#at;
    let literal: string | undefined = "";
    let quoted = false;
    const add = (text: string | undefined) => {
      literal = literal === undefined || text === undefined ? undefined : literal + text;
    };
    while (this.#at < this.#script.length && !endsWord.test(this.#peek())) {
      const char = this.#peek();
      if (char === "'") add(this.#singleQuoted());
      else if (char === '"') add(this.#doubleQuoted());
      else if (char === "\\") add(this.#escaped());
      else {
        add(this.#bare(char, this.#at === start));
        continue;
      }
      quoted = true;
    }
    return { raw: this.#script.slice(start, this.#at), literal, quoted };
  }

  #singleQuoted(): string {
    const end = this.#script.indexOf("'", this.#at + 1);
    if (end < 0) throw new UnclearScript("a quote is not closed");
    const text = this.#script.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #doubleQuoted(): string | undefined {
    let text: string | undefined = "";
    this.#at += 1;
    for (;;) {
      const char = this.#peek();
      if (char === "") throw new UnclearScript("a quote is not closed");
      if (char === '"') break;
      if (char === "$" || char === "`") {
        const expanded = this.#expansion(char, true);
        text = expanded === undefined || text === undefined ? undefined : text + expanded;
        continue;
      }
      // Within double quotes a backslash keeps its meaning before these alone.
      const escapes = char === "\\" && /[$`"\\\n]/.test(this.#script[this.#at + 1] ?? "");
      const taken = escapes ? (this.#script[this.#at + 1] as string) : char;
      this.#at += escapes ? 2 : 1;
      if (text !== undefined && !(escapes && taken === "\n")) text += taken;
    }
    this.#at += 1;
    return text;
  }

  #escaped(): string {
    const char = this.#script[this.#at + 1];
    if (char === undefined) throw new UnclearScript("nothing follows a backslash");
    this.#at += 2;
    return char === "\n" ? "" : char;
  }

  #bare(char: string, first: boolean): string | undefined {
    if (char === "$" || char === "`") return this.#expansion(char);
    this.#at += 1;
    // Patterns, alternatives and home folders depend on the disk.
    const tilde = char === "~" && (first || /[=:]/.test(this.#script[this.#at - 2] ?? ""));
    // For zsh, a program that is looked up.
    if (char === "=" && first && !endsWord.test(this.#peek() || " ")) return undefined;
    return tilde || "*?[{}".includes(char) ? undefined : char;
  }

  /** A variable makes a word unclear; a lone dollar is a dollar; anything that runs commands is refused. */
  #expansion(char: string, inQuotes = false): string | undefined {
    const rest = this.#script.slice(this.#at, this.#at + 256);
    if (char === "`" || rest.startsWith("$(")) throw new UnclearScript("a command substitution");
    const variable = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]|\{[A-Za-z_]\w*\})/.exec(rest)?.[0];
    if (variable !== undefined) {
      this.#at += variable.length;
      return undefined;
    }
    // Continued lines are joined before the dollar is read, so anything may follow it.
    if (rest.startsWith("$\\\n")) throw new UnclearScript("an expansion over two lines");
    if ((inQuotes ? /^\$[{[]/ : /^\$[{['"]/).test(rest)) throw new UnclearScript("an expansion");
    this.#at += 1;
    // For zsh, a variable.
    return /^\$[+=~^:]/.test(rest) ? undefined : "$";
  }

  #peek(): string {
    return this.#script[this.#at] ?? "";
  }

  #lineEnd(): number {
    const end = this.#script.indexOf("\n", this.#at);
    return end < 0 ? this.#script.length : end;
  }
}
