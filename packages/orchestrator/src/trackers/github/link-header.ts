/** The address that a `Link` header gives for the next page, or null on the last one. */
export function nextLink(header: string | null): string | null {
  for (const part of header?.split(/,\s*(?=<)/) ?? []) {
    const [, url, parameters = ""] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (url !== undefined && /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) return url;
  }
  return null;
}
