/**
 * Ways in which a script has another one run: what they name is trusted with it. Blanks at the beginning of a line do not
 * reach into the next one: thousands of empty lines would be gone through from each of them.
 */
const patterns: readonly RegExp[] = [
  // JavaScript: import x from "./y.js", export * from "./y.js", import("./y.js"), require("./y").
  /\b(?:from|import|require)\s*\(?\s*["'`](\.{0,2}\/[^"'`\n]+)["'`]/g,
  // Ruby and Perl.
  /\b(?:require_relative|require|load|do)\s+["']([^"'\n]+)["']/g,
  // A shell's own: . ./lib.sh, source lib.sh.
  /(?:^|[;&|({]|\bthen|\bdo|\belse)[ \t]*(?:source|\.)\s+["']?([^\s"';&|)]+)/gm,
  // An interpreter and its script.
  /\b(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|sh|bash|zsh|dash|exec)\s+(?:run\s+)?(?:-[^\s"']+\s+)*["']?([^\s"';&|)]+)/g,
  // A program by its path: ./x.sh, "$DIR/x.sh", $(dirname "$0")/x.sh.
  /(?:^|[;&|({!"'@]|\bthen|\bdo|\belse)[ \t]*((?:\.{1,2}|[\w.-]+)?\/[\w./-]+)/gm,
  /\$(?:\w+|\{[^}]*\}|\([^)]*\))["']?(\/[\w./-]+)/g,
];

/** Python names modules, not files. */
const modules = /^[ \t]*(?:from\s+(\.*[\w.]+)\s+import\b|import\s+([\w., ]+))/gm;

/** Words beyond this many are a program's data, not its parts. */
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

/** What JavaScript's loaders try where a name has no ending. */
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
