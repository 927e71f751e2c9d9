import { compileGlob } from "../lib/glob.ts";

/** What a rule says of a path; `undefined` when it says nothing. */
export type Verdict = "ignored" | "kept" | undefined;

/** Longer ones cannot be read: no path is that long. */
const maxPattern = 4096;

/**
 * Steps that may be spent on one path, over all rules that hold for it: about a millisecond. What is left then says nothing.
 * Thousands of ordinary rules do not come near.
 */
export const maxWork = 1_000_000;

/** Counts the steps that are spent on one path. */
export interface Work {
  left: number;
}

interface Rule {
  readonly verdict: "ignored" | "kept";
  readonly foldersOnly: boolean;
  /** For the name alone, or for the path from the folder of the rules on. */
  readonly whole: boolean;
  /** The one folder in which it may fit something, from that of the rules on; `undefined` for any. */
  readonly only: string | undefined;
  /** Most steps that it takes for each character of a text. */
  readonly weight: number;
  readonly fits: (text: string) => boolean;
}

/** The rules of one ignore file, in the form that git reads. The last that fits decides. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text
      .split("\n")
      .map((line) => parseRule(line.endsWith("\r") ? line.slice(0, -1) : line))
      .filter((rule) => rule !== undefined)
      .reverse();
  }

  /** How many there are. */
  get size(): number {
    return this.#rules.length;
  }

  /** Most steps that they take for each character of a path, each of them one at least. */
  get weight(): number {
    return this.#rules.reduce((sum, rule) => sum + rule.weight + 1, 0);
  }

  /**
   * Those that may fit something in a folder; `undefined` where there are none.
   * @param below The path of the folder from that of the rules on, with a slash at its end, or empty.
   */
  within(below: string): FolderRules | undefined {
    const rules = this.#rules.filter(({ only }) => only === undefined || only === below);
    return rules.length === 0 ? undefined : new FolderRules(rules, below);
  }
}

/** The rules of one ignore file as they are in a folder. */
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

/** Without blanks at the end, but one after a backslash. By hand: an expression would look at each of many blanks again and again. */
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
