import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";
import { parse, type SyntaxNode, walk } from "./lib/syntax.ts";

const source = join(import.meta.dirname, "..", "packages", "web", "src");
/** Attributes whose value people read. */
const read = new Set(["label", "title", "placeholder", "aria-label", "hint", "what", "alt", "failure", "description"]);

/** Words in a component: text between tags, and attributes that people read. Names of commands and files are none. */
function wordsIn(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(file, text).body, (node, around) => {
    const { value } = node as { readonly value?: unknown };
    if (typeof value !== "string") return;
    const parent = around.at(-1) as (SyntaxNode & { readonly name?: { readonly name?: unknown } }) | undefined;
    const isText = node.type === "JSXText" && around.every((each) => !isCode(each));
    const isAttribute = parent?.type === "JSXAttribute" && read.has(String(parent.name?.name));
    // An example of what to enter has no space in it.
    const isExample = isAttribute && parent.name?.name === "placeholder" && !value.includes(" ");
    if ((isText || isAttribute) && !isExample && /[A-Za-z]{2}/.test(value)) found.push(`${file}: ${value.trim()}`);
  });
  return found;
}

/** True within `<code>`, which holds what one types as it is. */
function isCode(node: SyntaxNode): boolean {
  const { name } = (node.openingElement ?? {}) as { readonly name?: { readonly name?: unknown } };
  return node.type === "JSXElement" && name?.name === "code";
}

/** Folders in which the strings of the code are looked at as well. */
const whole = ["orchestrator", "link", "scripts"];

/** Words in strings of the code: phrases, what scripts print, and either side of a choice that is shown. */
function phrasesIn(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(file, text).body, (node, around) => {
    for (const words of wordsOf(node, around)) found.push(`${file}: ${words}`);
  });
  return found;
}

function wordsOf(node: SyntaxNode, around: readonly SyntaxNode[]): readonly string[] {
  const raw = node.type === "TemplateElement" ? (node.value as { readonly cooked: string }).cooked : node.value;
  if (typeof raw !== "string" || (node.type !== "Literal" && node.type !== "TemplateElement")) return [];
  // A script: what it prints, without the variables that are put in.
  if (raw.includes("\n")) {
    const printed = [...raw.matchAll(/\becho "([^"]*)/g)].map(([, words = ""]) => words);
    return printed.filter((words) => /[A-Za-z]{2}/.test(words.replaceAll(/\$\{?\w+\}?/g, "")));
  }
  const at = around.findLastIndex(
    ({ type }) => !/^(ConditionalExpression|LogicalExpression|TemplateLiteral)$/.test(type),
  );
  const isShown = around[at]?.type === "JSXExpressionContainer" && around[at - 1]?.type === "JSXElement";
  return (isShown && /[A-Za-z]{2}/.test(raw)) || /\b[A-Z][a-z]+ |[a-z]\.$/.test(raw) ? [raw.trim()] : [];
}

test("all words of the page are in one file", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const components = files.filter((file) => file.endsWith(".tsx"));
  const code = files.filter((file) => /\.tsx?$/.test(file) && whole.includes(file.split(sep)[0] ?? ""));
  const read = (file: string): string => readFileSync(join(source, file), "utf8");
  assert.ok(components.length > 100 && code.length > 30);
  const found = [
    ...components.flatMap((file) => wordsIn(file, read(file))),
    ...code.flatMap((file) => phrasesIn(file, read(file))),
  ];
  assert.deepEqual(found, [], "put them into words/words.ts");
  assert.deepEqual(readdirSync(join(source, "words")), ["words.ts"]);
});

test("a word in a component is reported", () => {
  const planted = `const a = <p title="Look here">Some <code>npm ci</code> words {b}</p>;`;
  assert.deepEqual(wordsIn("planted.tsx", planted), [
    "planted.tsx: Look here",
    "planted.tsx: Some",
    "planted.tsx: words",
  ]);
});

test("words in code and in scripts are reported", () => {
  const planted = `
    const a = <p aria-label={\`Run \${n}\`} className="a b">{paused ? "Resume" : "pause"} {key === "Home" && b}</p>;
    throw new Error("no luck.");
    const script = \`set -eu
# Not a word that is shown.
echo "$name" "\${shown.x}"
[ -n "$URL" ] || { echo "$URL is no address" >&2; exit 5; }
\`;`;
  assert.deepEqual(phrasesIn("planted.tsx", planted), [
    "planted.tsx: Run",
    "planted.tsx: Resume",
    "planted.tsx: pause",
    "planted.tsx: no luck.",
    "planted.tsx: $URL is no address",
  ]);
});
