/** The path of `--- a/path` and `+++ b/path`; null for `/dev/null`. Git writes a tab behind a name with spaces. */
export function headerPath(text: string): string | null {
  const [name = text] = text.replace(/\r$/, "").split("\t", 1);
  const path = unquoted(name);
  return path === "/dev/null" ? null : path.replace(/^[ab]\//, "");
}

/** The path of `diff --git a/path b/path`. Of a file that was moved, its new path is elsewhere too. */
export function gitPath(line: string): string | undefined {
  const names = line.slice("diff --git ".length);
  const quoted = / ("b\/(?:[^"\\]|\\.)*")$/.exec(names)?.[1];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  // Both names are the same: wherever else ` b/` stands, it is part of them.
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)];
  if (before.startsWith("a/") && after === `b/${before.slice(2)}`) return after.slice(2);
  return / b\/(.+)$/.exec(names)?.[1];
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name that git has quoted, for a sign in it that would end it. Any other as it is. */
export function unquoted(name: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  const encoder = new TextEncoder();
  const bytes = [...inner.matchAll(/\\([0-7]{3}|.)|[^\\]+/g)].flatMap(([text, sign]) => {
    if (sign === undefined) return [...encoder.encode(text)];
    if (sign.length === 3) return [Number.parseInt(sign, 8)];
    return Object.hasOwn(escapes, sign) ? [escapes[sign] ?? 0] : [...encoder.encode(sign)];
  });
  return new TextDecoder().decode(new Uint8Array(bytes));
}
