/** Ways in which a script runs another. Every repetition is bounded: the text may be hostile. */
const patterns: readonly RegExp[] = [
  // JavaScript: import x from "./y.js", export * from "./y.js", import("./y.js"), require("./y").
  /\b(?:from|import|require)\s{0,20}\(?\s{0,20}["'`](\.{0,2}\/[^"'`\n]{1,300})["'`]/g,
  // Ruby and Perl.
  /\b(?:require_relative|require|load|do)\s{1,20}["']([^"'\n]{1,300})["']/g,
  // A shell's own: . ./lib.sh, source lib.sh.
  /(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]{0,100}(?:source|\.)[ \t]{1,20}["']?([^\s"';&|)]{1,300})/gm,
  // An interpreter and its script.
  /\b(?:node|bun|deno|tsx|ts-node|python[\d.]{0,5}|ruby|perl|php|sh|bash|zsh|dash|exec)[ \t]{1,20}(?:run[ \t]{1,20})?(?:-[^\s"']{1,100}[ \t]{1,20}){0,10}["']?([^\s"';&|)]{1,300})/g,
  // A program by its path: ./x.sh, "$DIR/x.sh", $(dirname "$0")/x.sh.
  /(?:^|[;&|({!"'@]|\bthen|\bdo|\belse)[ \t]{0,100}((?:\.{1,2}|[\w.-]{1,100})?\/[\w./-]{1,300})/gm,
  /\$(?:\w{1,100}|\{[^}\n]{0,100}\}|\([^)\n]{0,200}\))["']?(\/[\w./-]{1,300})/g,
];

/** Python names modules, not files. */
const modules = /^[ \t]{0,100}(?:from[ \t]{1,20}([\w.]{1,200})[ \t]{1,20}import\b|import[ \t]{1,20}([\w., ]{1,300}))/gm;

/** Further words are a program's data, not its parts. */
const maxWords = 200;

/** The paths by which a script may have other files run, as it writes them. */
export function loadedWords(text: string): string[] {
  const words = new Set<string>();
  for (const pattern of patterns) {
    for (const [, word = ""] of text.matchAll(pattern)) {
      if (words.size >= maxWords) return [...words];
      if (word !== "") words.add(word);
    }
  }
  for (const [, from, plain = ""] of text.matchAll(modules)) {
    for (const name of from === undefined ? plain.split(",") : [from]) {
      const path = modulePath(name);
      if (path === "" || words.size >= maxWords) continue;
      words.add(`${path}.py`);
      words.add(`${path}/__init__.py`);
    }
  }
  return [...words];
}

function modulePath(name: string): string {
  const [plain = ""] = name.trim().split(/\s/);
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(plain) ?? [];
  const up = dots.length > 1 ? "../".repeat(dots.length - 1) : "./";
  return rest === "" ? "" : `${up}${rest.replaceAll(".", "/")}`;
}

/** The suffixes that JavaScript's loaders try. */
export const tried: readonly string[] = [
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  ".tsx",
  ".jsx",
  ".json",
  "/index.js",
  "/index.ts",
];
