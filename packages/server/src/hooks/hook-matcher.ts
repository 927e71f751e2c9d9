import { type LinearPattern, linearPattern } from "@quire/protocol/pattern";
import { errorMessage } from "../lib/error-message.ts";

/** Names that are matched are shorter. A longer one fits no pattern. */
const maxNameLength = 10_000;

/** Whether a matcher is no regular expression but names, separated by `|`. */
const isNames = (matcher: string): boolean => /^[A-Za-z0-9_|]*$/.test(matcher);

/** Patterns that were used, by their text: a session has a handful. */
const compiled = new Map<string, LinearPattern | undefined>();
const maxCompiled = 1000;

/** Names come from servers and models, so no pattern may take longer for some than for others. */
function patternOf(matcher: string): LinearPattern | undefined {
  if (!compiled.has(matcher)) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(matcher, linearPattern(matcher));
  }
  return compiled.get(matcher);
}

/** What is wrong with a matcher; `undefined` for nothing. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === "*" || isNames(matcher) || patternOf(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return "look-around, references to groups and very long patterns are not supported";
  } catch (error) {
    return errorMessage(error);
  }
}

/** Whether a matcher fits one of the names of what happens. None, an empty one and `*` fit everything. */
export function matches(matcher: string | null, names: readonly string[]): boolean {
  if (matcher === null || matcher === "" || matcher === "*") return true;
  if (isNames(matcher)) return matcher.split("|").some((name) => names.includes(name));
  return names.some((name) => name.length <= maxNameLength && patternOf(matcher)?.test(name) === true);
}
