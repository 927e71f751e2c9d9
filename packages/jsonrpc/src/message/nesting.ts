const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Lists and objects within each other that a message may have, unless an option says otherwise. Codex reads 128. Any
 * depth can be read, but a few thousand exhaust the stack of everything that walks the value or writes it down again.
 */
const defaultMaxNesting = 1000;

/** True for JSON whose lists and objects are nested deeper than `max`. No depth exhausts the stack. */
export function isNestedDeeper(text: string, max: number = defaultMaxNesting): boolean {
  // What opens must close: a shorter text cannot be that deep.
  if (text.length <= 2 * max) return false;
  let deepest = 0;
  walkBrackets(text, (depth) => {
    deepest = depth;
    return depth <= max;
  });
  return deepest > max;
}

/** The JSON of an object or list with `null` for every list and object in it, to look at the rest whatever its depth. */
export function withoutNested(text: string): string {
  let kept = "";
  let from = 0;
  walkBrackets(text, (depth, at, opens) => {
    if (depth !== 2) return true;
    if (opens) kept += `${text.slice(from, at)}null`;
    from = opens ? text.length : at + 1;
    return true;
  });
  return kept + text.slice(from);
}

/** Sees the brackets outside of strings, each with the depth of its list or object, until it returns false. */
type BracketVisitor = (depth: number, at: number, opens: boolean) => boolean;

function walkBrackets(text: string, visit: BracketVisitor): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at + 1);
      if (at === -1) return;
    } else if (code === openList || code === openObject) {
      if (!visit(++depth, at, true)) return;
    } else if (code === closeList || code === closeObject) {
      if (!visit(depth--, at, false)) return;
    }
  }
}

/** Index of the quote that ends a string; -1 for a string without an end. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}
