/** Maximum nesting of lists and objects. Codex reads 128; stored or forwarded values are written by recursion. */
const maxNesting = 256;

/** A shorter text cannot hold so many brackets. */
const checkedLength = 2 * maxNesting;

/** Reads JSON that a model or a server wrote. Throws a SyntaxError where it is none, or nested deeper than can be passed on. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > checkedLength && isTooDeep(value)) throw new SyntaxError("recursion limit exceeded");
  return value;
}

/** True when a value is nested deeper than can be passed on. No depth exhausts the stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isParent);
  for (let depth = 0; depth < maxNesting; depth++) {
    if (level.length === 0) return false;
    const next: object[] = [];
    for (const parent of level) for (const child of Object.values(parent)) if (isParent(child)) next.push(child);
    level = next;
  }
  return true;
}

function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
