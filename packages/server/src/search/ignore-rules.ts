/** What a rule says of a path; `undefined` when it says nothing. */
export type Verdict = "ignored" | "kept" | undefined;

interface Rule {
  readonly verdict: "ignored" | "kept";
  readonly foldersOnly: boolean;
  /** For the name alone, or for the path from the folder of the rules on. */
  readonly whole: boolean;
  /** The one folder in which it may fit something, from that of the rules on; `undefined` for any. */
  readonly only: string | undefined;
  readonly fits: (text: string) => boolean;
}

/** The rules of one ignore file, in the form that git reads. The last that fits decides. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text
      .split(/\r?\n/)
      .map(parseRule)
      .filter((rule) => rule !== undefined)
      .reverse();
  }

  get empty(): boolean {
    return this.#rules.length === 0;
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

  judge(name: string, isFolder: boolean): Verdict {
    const rules = this.#rules;
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at] as Rule;
      if (rule.foldersOnly && !isFolder) continue;
      if (rule.fits(rule.whole ? this.#below + name : name)) return rule.verdict;
    }
    return undefined;
  }
}

function parseRule(line: string): Rule | undefined {
  let pattern = line.replace(/(?<!\\)[ \t]+$/, "");
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const verdict = pattern.startsWith("!") ? "kept" : "ignored";
  if (verdict === "kept") pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern.startsWith("**/") && !pattern.slice(3).includes("/")) pattern = pattern.slice(3);
  const whole = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  if (pattern === "") return undefined;
  const only = whole && !special.test(pattern) ? pattern.slice(0, pattern.lastIndexOf("/") + 1) : undefined;
  return { verdict, foldersOnly, whole, only, fits: fitter(pattern) };
}

const special = /[*?[\\]/;

/** Most rules are a name or an ending, for which no expression is needed. */
function fitter(pattern: string): (text: string) => boolean {
  if (!special.test(pattern)) return (text) => text === pattern;
  const ending = pattern.slice(1);
  if (pattern.startsWith("*") && !/[*?[\\/]/.test(ending)) return (text) => text.endsWith(ending);
  const expression = toExpression(pattern);
  return expression === undefined ? () => false : (text) => expression.test(text);
}

function toExpression(pattern: string): RegExp | undefined {
  const body = pattern.replace(
    /\\(.)|\/\*\*$|\/\*\*\/|^\*\*\/|\*\*|\*|\?|\[(!|\^)?((?:\\.|[^\]\\])+)\]|[.+^${}()|[\]\\]/g,
    (found, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return escaped.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
      if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[[\]^]/g, "\\$&")}]`;
      if (found === "/**") return "/.+";
      if (found === "/**/") return "/(?:.*/)?";
      if (found === "**/") return "(?:.*/)?";
      if (found === "**") return ".*";
      if (found === "*") return "[^/]*";
      return found === "?" ? "[^/]" : `\\${found}`;
    },
  );
  try {
    return new RegExp(`^${body}$`);
  } catch {
    // What cannot be read ignores nothing.
    return undefined;
  }
}
