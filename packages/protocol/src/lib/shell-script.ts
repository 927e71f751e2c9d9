const shells = /^(?:\/bin\/|\/usr\/bin\/|\/usr\/local\/bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da)?sh$/;
/** A piece of a word that means itself: bare, in single quotes, in double quotes, or behind a backslash. */
const piece = /([\w+\-./:@\]]+)|'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([^\n])/y;

/**
 * The script of a command such as `/bin/bash -lc 'script'`, which is how servers run what a model wrote: the shell around
 * it is the same every time. A command that is anything else, or more than that, is given as it is, and so is one whose
 * shell is not among those of the system.
 */
export function shellScript(command: string): string {
  const words = wordsOf(command);
  if (words?.length !== 3) return command;
  const [shell = "", flag = "", script = ""] = words;
  return shells.test(shell) && (flag === "-lc" || flag === "-c") ? script : command;
}

/** The words of a command line in which a shell would expand and join nothing; none where it would. */
function wordsOf(line: string): readonly string[] | undefined {
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

/** What stands in double quotes: there a backslash escapes only what is special there. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([$`"\\])|\n)/g, "$1");
}
