/** A piece of a word that means itself: bare, in single quotes, in double quotes, or behind a backslash. */
const piece = /([\w+\-./:@\]]+)|'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([^\n])/y;

/** The words of a command line in which a shell would expand and join nothing; none where it would. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  for (let at = 0; ; at++) {
    let word: string | undefined;
    for (let found = pieceAt(line, at); found; found = pieceAt(line, at)) {
      const [whole, bare, single, double, escaped] = found;
      word = (word ?? "") + (bare ?? single ?? escaped ?? unescaped(double ?? ""));
      at += whole.length;
    }
    if (word === undefined) return undefined;
    words.push(word);
    if (at === line.length) return words;
    if (line[at] !== " ") return undefined;
  }
}

function pieceAt(line: string, at: number): RegExpExecArray | null {
  piece.lastIndex = at;
  return piece.exec(line);
}

/** Unescapes text from double quotes, in which a backslash only escapes special characters. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([$`"\\])|\n)/g, "$1");
}
