/** The position after a field's value, in words; the end of the text for a missing field. */
export function endOfField(text: string, name: string): string {
  return placeOf(text, valueEnd(text, name) ?? text.trimEnd().length);
}

/** Index after the value of a top-level field. The text is a valid JSON object. */
function valueEnd(text: string, name: string): number | undefined {
  let at = text.indexOf("{") + 1;
  while (at < text.length) {
    const key = /^[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*/.exec(text.slice(at));
    if (!key) return undefined;
    const end = skipValue(text, at + key[0].length);
    if (JSON.parse(key[1] as string) === name) return end;
    at = end;
  }
  return undefined;
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') at = stringEnd(text, at);
    else if (char === "{" || char === "[") depth += 1;
    else if (depth === 0 && /[\s,}\]]/.test(char)) return at;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth === 0 && /["}\]]/.test(char)) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function placeOf(text: string, end: number): string {
  const before = text.slice(0, end);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return `at line ${line} column ${Buffer.byteLength(before.slice(lineStart))}`;
}
