import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, root } from "../../scripts/lib/workspace.ts";
import { nameTableViolations } from "../lib/name-tables.ts";

test("no table of ours is looked up by a name from outside as a plain object", () => {
  // What the page and the tests look up comes from a server, which has checked it.
  const sources = [".ts", ".tsx"]
    .flatMap((ending) => filesBelow(join(root, "packages"), ending))
    .filter(
      (file) => /^packages\/(?!web|testkit)[^/]+\/src\//.test(relative(root, file)) && !file.includes("/generated/"),
    );
  assert.ok(sources.length > 500, "the sources were not found");
  assert.deepEqual(
    sources.flatMap((file) => nameTableViolations(relative(root, file), readFileSync(file, "utf8"))),
    [],
  );
});

test("a planted violation is reported", () => {
  const planted =
    'const words: Readonly<Record<string, string>> = { a: "b" };\nexport const word = (name: string) => words[name];';
  assert.deepEqual(nameTableViolations("x.ts", planted), ["x.ts:2 looks words up by any name: make it a Map"]);
  const inner = 'function f(name: string) { const words: Record<string, string> = { a: "b" }; return words[name]; }';
  assert.equal(nameTableViolations("x.ts", inner).length, 1);
});

test("a name that is written there, a Map and a table that is being filled are let through", () => {
  for (const text of [
    'const words: Record<string, string> = { a: "b" };\nexport const b = words["a"];',
    'const words = new Map([["a", "b"]]);\nexport const word = (name: string) => words.get(name);',
    'const made: Record<string, string> = {};\nfor (const name of ["a"]) made[name] = "b";',
    'const order: Record<"a" | "b", number> = { a: 1, b: 2 };\nexport const place = (name: "a" | "b") => order[name];',
  ])
    assert.deepEqual(nameTableViolations("x.ts", text), [], text);
});
