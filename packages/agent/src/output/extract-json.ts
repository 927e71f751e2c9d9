/** The JSON in a text, or the reason why there is none. */
export type Extracted =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** A block that says it is JSON. The fences stand on lines of their own, so none is found within a JSON string. */
const opening = /^[ \t]*```json[ \t]*\r?\n/im;
const closing = /\r?\n?^[ \t]*```[ \t]*$/m;

/** Places at which a value is looked for in prose; more would only cost time. */
const mostAttempts = 200;

/**
 * Finds the JSON in what a model wrote: the first block fenced as json, else the whole text, else the first object or
 * array within it. A fenced block that is broken counts as an error: the model meant that one.
 */
export function extractJson(text: string): Extracted {
  const block = fencedBlock(text);
  if (block !== undefined) {
    const value = parse(block);
    return value.ok ? value : { ok: false, message: "the block fenced as json is not JSON" };
  }
  const whole = parse(text.trim());
  return whole.ok ? whole : scan(text);
}

/** Looks once for each fence: a text of openings alone would otherwise be searched to its end from each. */
function fencedBlock(text: string): string | undefined {
  const start = opening.exec(text);
  if (start === null) return undefined;
  const inner = text.slice(start.index + start[0].length);
  const end = closing.exec(inner);
  return end === null ? undefined : inner.slice(0, end.index);
}

function scan(text: string): Extracted {
  let at = text.search(/[[{]/);
  for (let attempt = 0; at >= 0 && attempt < mostAttempts; attempt++) {
    const end = endOfValue(text, at);
    const value = end === undefined ? undefined : parse(text.slice(at, end));
    if (value?.ok) return value;
    const next = text.slice(at + 1).search(/[[{]/);
    at = next < 0 ? -1 : at + 1 + next;
  }
  return { ok: false, message: "there is no JSON in it" };
}

/** The end of the object or array that begins here; `undefined` if it is not complete. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

function parse(text: string): Extracted {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, message: "it is not JSON" };
  }
}
