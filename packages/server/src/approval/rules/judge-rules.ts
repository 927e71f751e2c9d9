import { basename } from "node:path";
import { type Commands, commandsOf } from "../commands.ts";
import { isShell, isWrapper } from "../wrappers.ts";
import { matches, matchesWord, type PrefixRule } from "./rule.ts";

/** The rules' verdict on a script. */
export type RuleVerdict =
  | { readonly kind: "forbidden"; readonly rule: PrefixRule }
  | { readonly kind: "prompt" | "prompt-user"; readonly rule: PrefixRule }
  /** `open` holds the commands that no rule allows. */
  | { readonly kind: "none"; readonly open: readonly (readonly string[])[] };

/**
 * Applies the rules to every command of a script; the strictest decision wins. Rules that forbid or ask also match
 * programs named by path or run by others, and scripts that are not fully understood; rules that allow must match
 * exactly.
 */
export function judgeByRules(rules: readonly PrefixRule[], commands: Commands): RuleVerdict {
  for (const kind of ["forbidden", "prompt-user", "prompt"] as const) {
    const rule = rules.find((each) => each.decision === kind && concerns(each, commands));
    if (rule !== undefined) return { kind, rule };
  }
  const allows = rules.filter(({ decision }) => decision === "allow");
  const open = commands.exact.filter((command) => !allows.some((rule) => matches(rule, command)));
  return { kind: "none", open };
}

const maxDepth = 4;

function concerns(rule: PrefixRule, commands: Commands, depth = 0): boolean {
  if (rule.pattern.length === 0) return true;
  const { exact, plain, seen, unclear } = commands;
  const begun = [...exact, ...seen].flatMap(beginnings);
  if (begun.some((words) => matches(rule, words))) return true;
  // The shell's own command line, where the script is more than plain commands, has been taken apart already.
  const scripts = depth < maxDepth ? (plain ? begun : seen.flatMap(beginnings)).flatMap(scriptsIn) : [];
  if (scripts.some((script) => concerns(rule, commandsOf(script, []), depth + 1))) return true;
  if (unclear === null) return false;
  // Nobody can tell what such a script runs; naming the program is enough for caution.
  const words = unclear.split(/[^\w./+-]+/);
  return words.some((word) => matchesWord(rule, 0, word) || matchesWord(rule, 0, basename(word)));
}

/** A command as written, by its bare program name, and from each word on that another program may run. */
function beginnings(command: readonly string[]): (readonly string[])[] {
  const named = ([program = "", ...rest]: readonly string[]) => [basename(program), ...rest];
  const ends = isWrapper(command[0] ?? "") ? command.map((_, index) => command.slice(index)) : [command];
  return ends.flatMap((words) => [words, named(words)]);
}

/** Arguments that are scripts themselves. */
function scriptsIn([program = "", ...args]: readonly string[]): readonly string[] {
  if (program === "eval") return [args.join(" ")];
  if (isShell(program)) return args.filter((word) => !word.startsWith("-"));
  return isWrapper(program) ? args.filter((word) => /\s/.test(word)) : [];
}
