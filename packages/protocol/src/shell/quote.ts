/** Ways to write text so that a shell reads it unchanged. */
const plain = 1;
const single = 2;
const double = 4;

/**
 * Quotes a word for a POSIX shell, in several pieces where no one kind of quotes will do. Puts backslashes in double
 * quotes, which more shells agree on, and `!` and `^` in single quotes, for the history of interactive shells.
 */
export function quoteWord(word: string): string {
  if (word === "") return "''";
  let quoted = "";
  for (let rest = word; rest !== ""; ) {
    const { size, ways } = piece(rest);
    quoted += write(rest.slice(0, size), ways);
    rest = rest.slice(size);
  }
  return quoted;
}

/** A command line of quoted words. */
export function quoteCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

/** The longest prefix that can be written in one way, and the ways for it. */
function piece(text: string): { size: number; ways: number } {
  let ways = plain | single | double;
  for (let at = 0; at < text.length; at++) {
    const next = ways & waysOf(text[at] as string, at === 0);
    if (next === 0) return { size: at, ways };
    ways = next;
  }
  return { size: text.length, ways };
}

function waysOf(char: string, first: boolean): number {
  if (/[A-Za-z0-9+\-./:@\]_]/.test(char)) return plain | single | double;
  // Only at the beginning of quotes is it no sign of history.
  if (char === "^") return first ? single : 0;
  if (char === "'" || char === "\\") return double;
  return "$`!".includes(char) ? single : single | double;
}

function write(text: string, ways: number): string {
  if (ways & plain) return text;
  if (ways & single) return `'${text}'`;
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
