import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../scripts/lib/workspace.ts";

const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
const walk = page.slice(page.indexOf("<!-- walk -->"), page.indexOf("<!-- /walk -->"));
const hops = [...walk.matchAll(/^\| \d+ \| \[[^\]]+\]\(\.\.\/([^)]+)\) `([^`]+)` \|/gm)].map(
  ([, file = "", name = ""]) => ({
    file,
    name,
  }),
);

/** True if the source defines this function, method or class. */
function defines(text: string, name: string): boolean {
  const forms = [
    `(?:function|class|const|let)\\s+${name}\\b`,
    `^\\s+(?:async |readonly |override |static )*${name}(?:<[^(]*>)?(?:\\(| = |: \\w)`,
  ];
  return forms.some((form) => new RegExp(form, "m").test(text));
}

test("the walk of a turn names functions that exist, and is short", () => {
  const missing = hops.filter(({ file, name }) => {
    const path = join(root, file);
    return !existsSync(path) || !defines(readFileSync(path, "utf8"), name);
  });
  assert.deepEqual(missing, []);
  assert.ok(hops.length > 30 && hops.length <= 45, `${hops.length} hops`);
});

test("a function that is gone would be noticed", () => {
  assert.equal(defines("export function here() {}\n", "gone"), false);
  assert.equal(defines("const x = gone(1);\nawait gone();", "gone"), false);
  assert.equal(defines("  #serve(method: string): void {", "#serve"), true);
});

const recipes = page.slice(page.indexOf("## Recipes"), page.indexOf("## Folders")).split(/^### /m).slice(1);

/** Paths of this repository that a text writes without a link. */
const namedPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:bench|conformance|packages|scripts|test)\/[\w./-]+)`/g)].map(([, path = ""]) => path);

test("every recipe links the files that it is about", () => {
  assert.ok(recipes.length >= 6, `${recipes.length} recipes`);
  assert.deepEqual(
    recipes.filter((recipe) => !/\]\(\.\.\/[^)]+\.tsx?\)/.test(recipe)).map((recipe) => recipe.split("\n", 1)[0]),
    [],
  );
});

test("every path on the page exists, also where it is no link", () => {
  assert.ok(namedPaths(page).length >= 6, "the paths were not found");
  assert.deepEqual(
    namedPaths(page).filter((path) => !existsSync(join(root, path))),
    [],
  );
  assert.deepEqual(namedPaths("see `packages/server/src/gone.ts`"), ["packages/server/src/gone.ts"]);
});
