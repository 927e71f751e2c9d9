import { type LinearPattern, linearPattern } from "@quire/protocol/pattern";
import { errorMessage } from "../lib/error-message.ts";

/** A longer name matches no pattern. */
const maxNameLength = 10_000;

/** True when a matcher is a list of names separated by `|`, not an expression. */
const isNames = (matcher: string): boolean => /^[A-Za-z0-9_|]*$/.test(matcher);

/** Compiled patterns: a session has a handful. */
const compiled = new Map<string, LinearPattern | undefined>();
const maxCompiled = 1000;

/** Names come from servers and models, so every pattern takes linear time. */
function patternOf(matcher: string): LinearPattern | undefined {
  if (!compiled.has(matcher)) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(matcher, linearPattern(matcher));
  }
  return compiled.get(matcher);
}

/** The problem of a matcher, if any. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === "*" || isNames(matcher) || patternOf(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return "look-around, references to groups and very long patterns are not supported";
  } catch (error) {
    return errorMessage(error);
  }
}

/** True when a matcher matches one of the names. None, an empty one and `*` match everything. */
export function matches(matcher: string | null, names: readonly string[]): boolean {
  if (matcher === null || matcher === "" || matcher === "*") return true;
  if (isNames(matcher)) return matcher.split("|").some((name) => names.includes(name));
  return names.some((name) => name.length <= maxNameLength && patternOf(matcher)?.test(name) === true);
}
