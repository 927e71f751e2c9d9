/** What keys and tokens look like, wherever they stand. */
const secrets: readonly RegExp[] = [
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|github_pat|glpat|xox[abpr])[-_][\w-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<=\bBearer\s+)[\w.~+/=-]{8,}/gi,
  /(?<=\b[\w-]*(?:api[_-]?key|token|secret|passw(?:or)?d)[\w-]*\\?["']?\s*[=:]\s*\\?["']?)[^\s"'\\,;]{4,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** A text without what looks like a key, and without the values of variables whose names say that they hold one. */
export function redact(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && /key|token|secret|passw/i.test(name) ? [value] : [],
  );
  const known = values.reduce((rest, value) => rest.replaceAll(value, "[redacted]"), text);
  return secrets.reduce((rest, pattern) => rest.replace(pattern, "[redacted]"), known);
}
