import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

test("all words of the page are in one file", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".tsx") && !file.startsWith("orchestrator"),
  );
  assert.ok(files.length > 100);
  assert.deepEqual(
    files.flatMap((file) => wordsIn(file, readFileSync(join(source, file), "utf8"))),
    [],
    "put them into words/words.ts",
  );
});

test("a word in a component is reported", () => {
  const planted = `const a = <p title="Look here">Some <code>npm ci</code> words {b}</p>;`;
  assert.deepEqual(wordsIn("planted.tsx", planted), [
    "planted.tsx: Look here",
    "planted.tsx: Some",
    "planted.tsx: words",
  ]);
});
