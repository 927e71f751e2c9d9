/** Patterns of keys, tokens and passwords. Repetitions are bounded, since texts can be long. */
const shapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gh[opsur]|github_pat|glpat|xox[abprs])[-_][\w-]{8,}/g,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<=\bBearer\s{1,4})[\w.~+/=-]{6,}/gi,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\s\S]{0,20000}?-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
  // In addresses: after the name, or, for WebSockets, in its place.
  /(?<=:\/\/[^\s/:@]{0,99}:)[^\s/@]+(?=@)/g,
  /(?<=\bwss?:\/\/)[^\s/@]+(?=@)/g,
  // Values of fields that are named like one, in JSON within JSON too.
  /(?<=(?:(?:api|access|private)[_-]?key|token|secret|passw(?:or)?d|(?:authorization|cookie)(?=\W))\\?["']?\s{0,4}[=:]\s{0,4}\\?["']?(?:Basic\s{1,4})?)(?!Bearer\b|Basic\b)[^\s"'\\,;&}]{4,}/gi,
];

/** Replaces everything that looks like a secret by a mark. */
export function maskSecrets(text: string, mark: string): string {
  return shapes.reduce((rest, shape) => rest.replace(shape, mark), text);
}
