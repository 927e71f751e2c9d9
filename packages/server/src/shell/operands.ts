/**
 * The words of a command that are not options. After `--` everything is an operand.
 * @param valued Options that take the next word as their value.
 * @param stopAtFirst Options end at the first operand, as for commands that start commands.
 */
export function operands(words: readonly string[], valued: readonly string[], stopAtFirst = false): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--") return [...found, ...words.slice(at + 1)];
    if (valued.includes(word)) at += 1;
    else if (!word.startsWith("-") || word === "-") found.push(word);
    if (stopAtFirst && found.length > 0) return words.slice(at);
  }
  return found;
}
