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
