import { basename } from "node:path";
import type { Commands } from "../commands.ts";
import { matches, type PrefixRule } from "./rule.ts";

/** What the rules say of a script. */
export type RuleVerdict =
  | { readonly kind: "forbidden"; readonly rule: PrefixRule }
  | { readonly kind: "prompt"; readonly rule: PrefixRule }
  /** `open` holds the commands that no rule allows; none where all are allowed. */
  | { readonly kind: "none"; readonly open: readonly (readonly string[])[] };

/**
 * Asks the rules about every command of a script; the strictest decision holds. What forbids or asks is also looked for
 * where a program is named by its path, and in scripts that are not fully understood; what allows must match exactly.
 */
export function judgeByRules(rules: readonly PrefixRule[], commands: Commands): RuleVerdict {
  for (const kind of ["forbidden", "prompt"] as const) {
    const rule = rules.find((each) => each.decision === kind && concerns(each, commands));
    if (rule !== undefined) return { kind, rule };
  }
  const allows = rules.filter(({ decision }) => decision === "allow");
  const open = commands.exact.filter((command) => !allows.some((rule) => matches(rule, command)));
  return { kind: "none", open };
}

function concerns(rule: PrefixRule, { exact, seen, unclear }: Commands): boolean {
  const named = ([program = "", ...rest]: readonly string[]) => [basename(program), ...rest];
  if (rule.pattern.length === 0) return true;
  if ([...exact, ...seen].some((command) => matches(rule, command) || matches(rule, named(command)))) return true;
  if (unclear === null) return false;
  // Nobody can tell what such a script runs; that it names the program is enough to be careful.
  const [first] = rule.pattern;
  const programs = typeof first === "string" ? [first] : (first ?? []);
  const words = unclear.split(/[^\w./+-]+/);
  return programs.some((program) => words.some((word) => word === program || basename(word) === program));
}
