import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { readAttacks } from "../scripts/lib/attacks.ts";
import { documents, withExamples } from "../scripts/lib/embed.ts";
import { exportDescription } from "../scripts/lib/export-descriptions.ts";
import { entryExports, exportedNames } from "../scripts/lib/exports.ts";
import { filesBelow, packages, resolveTarget, root } from "../scripts/lib/workspace.ts";
import { undocumentedExports } from "./lib/documented-exports.ts";

const readText = (file: string) => readFileSync(file, "utf8");

for (const { dir, manifest } of packages()) {
  for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
    const file = resolveTarget(target, ["bun"]);
    if (!file?.endsWith(".ts")) continue;
    test(`every export of ${manifest.name}${entry.slice(1)} has a doc comment`, () => {
      assert.deepEqual(undocumentedExports(join(dir, file), readText), []);
    });
  }
}

test("an export without a doc comment is reported, wherever it is declared", () => {
  const files: Record<string, string> = {
    "src/index.ts": `export { good, bad, renamed as other } from "./a.ts";
      export type * from "./b.ts";
      import { Imported } from "./c.ts";
      const own = 1;
      export { Imported, own };
      export { Connection } from "@quire/jsonrpc";`,
    "src/a.ts": `/** Documented. */\nexport const good = 1;\n// Not a doc comment.\nexport function bad() {}
      export class renamed {}\nexport const unreachable = 1;`,
    "src/b.ts": "/** Documented. */\nexport interface Fine {}\nexport type Bare = 1;",
    "src/c.ts": "export class Imported {}",
  };
  assert.deepEqual(
    undocumentedExports("src/index.ts", (file) => files[file] ?? ""),
    ["bad in src/a.ts", "renamed in src/a.ts", "Bare in src/b.ts", "Imported in src/c.ts", "own in src/index.ts"],
  );
});

test("a name that an entry point exports is found, however it is written", () => {
  const source =
    'export { a, type B } from "./a.ts";\nexport type {\n  C,\n  D as E,\n} from "./c.ts";\nexport { F as default };';
  assert.deepEqual(exportedNames(source), { values: ["a", "default"], types: ["B", "C", "E"] });
});

test("every function, class and constant that a package exports is documented on a page, with a sentence", () => {
  const page = readText(join(root, "docs", "exports.md"));
  const all = packages().flatMap(entryExports);
  assert.ok(all.length > 30, `${all.length} entry points were found`);
  const missing = all.flatMap(({ path, values }) => {
    const [, section = ""] = page.split(`\n### ${path}\n`);
    const [text = ""] = section.split("\n### ");
    return values
      .filter(
        ({ name, description }) =>
          !description || !text.includes(`| \`${name}\` | ${description.replaceAll("|", "\\|")} |`),
      )
      .map(({ name }) => `${name} of ${path}`);
  });
  assert.deepEqual(missing, []);
});

test("the sentence about an export is the first of its doc comment, wherever it is declared", async () => {
  await using folder = await tempDir("exports-");
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write(
    "index.ts",
    'export { a as b, type T } from "./a.ts";\nexport * from "./c.ts";\n/** Makes `x.y` of v1.2 work. More. */\nexport const own = 1;\nexport { bare } from "./c.ts";',
  );
  write("a.ts", "/**\n * Gives {@link a},\n * on two lines.\n *\n * More.\n */\nexport async function a() {}\n");
  write("c.ts", "/** From afar. */\nexport class C {}\n\nexport const bare = 1;\n");
  const described = (name: string) => exportDescription(join(folder.path, "index.ts"), name);
  assert.deepEqual(["b", "C", "own", "bare", "gone"].map(described), [
    "Gives `a`, on two lines.",
    "From afar.",
    "Makes `x.y` of v1.2 work.",
    undefined,
    undefined,
  ]);
  assert.deepEqual(exportedNames(readText(join(folder.path, "index.ts"))), {
    values: ["b", "bare", "own"],
    types: ["T"],
  });
});

test("the README has a line for every script", () => {
  const { scripts } = JSON.parse(readText(join(root, "package.json"))) as { scripts: Record<string, string> };
  const readme = readText(join(root, "README.md"));
  const command = (name: string) => (name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`);
  const missing = Object.keys(scripts).filter((name) => !readme.includes(`| \`${command(name)}\` |`));
  assert.deepEqual(missing, []);
});

test("the README has a line for every package, and each package a page and a README of its own", () => {
  const readme = readText(join(root, "README.md"));
  for (const { short, dir, manifest } of packages()) {
    assert.ok(readme.includes(`\`${manifest.name}\``), `README.md does not mention ${manifest.name}`);
    assert.ok(existsSync(join(root, "docs", `${short}.md`)), `docs/${short}.md is missing`);
    assert.ok(existsSync(join(dir, "README.md")), `packages/${short}/README.md is missing`);
  }
});

for (const file of documents()) {
  const name = relative(root, file);
  test(`${name}: its examples are those that run in the tests`, () => {
    const text = readText(file);
    assert.equal(text, withExamples(text), "run: npm run check -- --fix");
  });

  test(`${name}: its links lead somewhere`, () => {
    const links = [...readText(file).matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)].map(([, link]) => link ?? "");
    const dead = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(file), link)));
    assert.deepEqual(dead, []);
  });
}

test("every example is run by a test", () => {
  const tests = readText(join(import.meta.dirname, "examples.test.ts"));
  const missing = filesBelow(join(root, "examples"), ".ts").filter((file) => !tests.includes(relative(root, file)));
  assert.deepEqual(missing, []);
});

test("two hundred attacks are made at least, and no two have one name", () => {
  const names = readAttacks().flatMap((file) => file.names);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  assert.ok(names.length >= 200, `${names.length} attacks`);
});
