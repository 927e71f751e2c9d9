const named: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    amp: "&",
    apos: "'",
    copy: "©",
    gt: ">",
    hellip: "…",
    larr: "←",
    lt: "<",
    mdash: "—",
    middot: "·",
    nbsp: "\u00a0",
    ndash: "–",
    quot: '"',
    rarr: "→",
    times: "×",
  }),
);

/** Replaces the entities that are met in practice (`&amp;`, `&#39;`, `&#x2014;`) by what they stand for. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name: string) => {
    if (name !== undefined) return (named.has(name) ? named.get(name) : undefined) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
