/** Splits a command as a shell would, quotes and backslashes included, and expands nothing. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  for (const match of line.matchAll(/(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g)) {
    words.push(
      match[0].replace(
        /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g,
        (_, escaped, double, single) => escaped ?? single ?? (double as string).replace(/\\(["\\$`])/g, "$1"),
      ),
    );
  }
  return words;
}
