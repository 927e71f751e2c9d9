/** A doc comment begins with its subject; a question word leaves the reader to look for it. */
const opening = /^[ \t]*\/\*\*\s*(?:\* )?(?:What|Whatever|Whether|Which|Who|Whoever|Whose|How|Where|One)\b(?!-)/gm;

/** Reports each doc comment that opens with a question word, as `file:line: text`. */
export function questionOpenings(file: string, text: string): string[] {
  return [...text.matchAll(opening)].map(({ index, 0: match }) => {
    const end = index + match.length;
    const [rest] = text.slice(end).split("\n", 1);
    return `${file}:${text.slice(0, end).split("\n").length}: ${match.replace(/^[\s/*]+/, "")}${rest}`;
  });
}
