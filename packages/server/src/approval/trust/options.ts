/** True when a program takes a word for an option. */
export function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** True when any word is one of these long options, perhaps shortened or with a value. Errs towards true. */
export function hasLongOption(args: readonly string[], names: readonly string[]): boolean {
  return args.some((word) => {
    if (!word.startsWith("--") || word === "--") return false;
    const [given = ""] = word.split("=", 1);
    // Options may be shortened as long as they are unique; how short is the program's affair.
    return names.some((name) => name.startsWith(given) || given.startsWith(`${name}-`));
  });
}

/** True when any word has one of these letters among its short options, or in a value: errs towards true. */
export function hasShortOption(args: readonly string[], letters: string): boolean {
  return args.some((word) => /^-[^-]/.test(word) && [...letters].some((letter) => word.includes(letter, 1)));
}

/** The words that are not options, and everything after `--`. Options in `taking` take the next word when alone. */
export function operands(args: readonly string[], taking: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") return [...found, ...args.slice(at + 1)];
    if (!isOption(word)) found.push(word);
    else if (word.length === 2 && taking.includes(word[1] as string)) at += 1;
  }
  return found;
}
