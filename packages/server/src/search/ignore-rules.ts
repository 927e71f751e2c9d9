import { compileGlob } from "../lib/glob.ts";

/** The verdict of a rule; `undefined` when it does not match. */
export type Verdict = "ignored" | "kept" | undefined;

/** Longer patterns are skipped: no path is that long. */
const maxPattern = 4096;

/** Maximum steps for one path, about a millisecond; then remaining rules are skipped. Ordinary rules stay far below. */
export const maxWork = 1_000_000;

/** Counts the steps spent on one path. */
export interface Work {
  left: number;
}

interface Rule {
  readonly verdict: "ignored" | "kept";
  readonly foldersOnly: boolean;
  /** True to match the path from the rules' folder on, not only the name. */
  readonly whole: boolean;
  /** The only folder, relative to the rules', in which it can match; `undefined` for any. */
  readonly only: string | undefined;
  /** Maximum steps for each character of a text. */
  readonly weight: number;
  readonly fits: (text: string) => boolean;
}

/** The rules of one ignore file in git's syntax. The last match wins. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text
      .split("\n")
      .map((line) => parseRule(line.endsWith("\r") ? line.slice(0, -1) : line))
      .filter((rule) => rule !== undefined)
      .reverse();
  }

  get size(): number {
    return this.#rules.length;
  }

  /** Maximum steps for each character of a path, at least one per rule. */
  get weight(): number {
    return this.#rules.reduce((sum, rule) => sum + rule.weight + 1, 0);
  }

  /** The rules that may match something in a folder, relative to theirs, empty or with a slash at its end. */
  within(below: string): FolderRules | undefined {
    const rules = this.#rules.filter(({ only }) => only === undefined || only === below);
    return rules.length === 0 ? undefined : new FolderRules(rules, below);
  }
}

/** The rules of one ignore file, narrowed to a folder. */
export class FolderRules {
  readonly #rules: readonly Rule[];
  readonly #below: string;

  constructor(rules: readonly Rule[], below: string) {
    this.#rules = rules;
    this.#below = below;
  }

  judge(name: string, isFolder: boolean, work: Work): Verdict {
    const rules = this.#rules;
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at] as Rule;
      if (rule.foldersOnly && !isFolder) continue;
      const text = rule.whole ? this.#below + name : name;
      work.left -= rule.weight * text.length;
      if (work.left < 0) return undefined;
      if (rule.fits(text)) return rule.verdict;
    }
    return undefined;
  }
}

function parseRule(line: string): Rule | undefined {
  let pattern = withoutTrailingBlanks(line);
  if (pattern === "" || pattern.length > maxPattern || pattern.startsWith("#")) return undefined;
  const verdict = pattern.startsWith("!") ? "kept" : "ignored";
  if (verdict === "kept") pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern.startsWith("**/") && !pattern.slice(3).includes("/")) pattern = pattern.slice(3);
  const whole = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "") return undefined;
  const only = whole && !special.test(pattern) ? pattern.slice(0, pattern.lastIndexOf("/") + 1) : undefined;
  return { verdict, foldersOnly, whole, only, ...fitter(pattern) };
}

/** Trims trailing blanks except one after a backslash. An expression would scan runs of blanks again and again. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end--;
  return line[end - 1] === "\\" ? line.slice(0, end + 1) : line.slice(0, end);
}

const special = /[*?[\\]/;

/** Most rules are a name or an ending, which need no glob. */
function fitter(pattern: string): Pick<Rule, "fits" | "weight"> {
  if (!special.test(pattern)) return { weight: 0, fits: (text) => text === pattern };
  const ending = pattern.slice(1);
  if (pattern.startsWith("*") && !/[*?[\\/]/.test(ending)) return { weight: 0, fits: (text) => text.endsWith(ending) };
  const glob = compileGlob(pattern);
  return { weight: glob.size, fits: (text) => glob.matches(text) };
}
