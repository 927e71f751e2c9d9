import { isNestedDeeper } from "@quire/jsonrpc";

/** Maximum nesting of lists and objects. Codex reads 128; stored or forwarded values are written by recursion. */
export const maxNesting = 256;

/** Reads JSON that a model or a server wrote. Throws a SyntaxError where it is none, or nested deeper than can be passed on. */
export function parseJson(text: string): unknown {
  if (isNestedDeeper(text, maxNesting)) throw new SyntaxError("recursion limit exceeded");
  return JSON.parse(text);
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
