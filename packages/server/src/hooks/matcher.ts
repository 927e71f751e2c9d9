/** Whether a matcher is no regular expression but names, separated by `|`. */
const isNames = (matcher: string): boolean => /^[A-Za-z0-9_|]*$/.test(matcher);

/** What is wrong with a matcher; `undefined` for nothing. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === "*" || isNames(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a matcher fits one of the names of what happens. None, an empty one and `*` fit everything. */
export function matches(matcher: string | null, names: readonly string[]): boolean {
  if (matcher === null || matcher === "" || matcher === "*") return true;
  if (isNames(matcher)) return matcher.split("|").some((name) => names.includes(name));
  const pattern = new RegExp(matcher);
  return names.some((name) => pattern.test(name));
}
