import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { buildPage } from "../../src/bundle/build-page.ts";

test("a page that cannot be bundled says where and why, and can be once that is mended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-page-"));
  try {
    const entry = join(folder, "index.html");
    const script = join(folder, "main.ts");
    await writeFile(entry, '<!doctype html><script type="module" src="./main.ts"></script>');
    await writeFile(script, "console.log(1\n");
    await assert.rejects(buildPage(entry), (error: Error) => {
      assert.match(error.message, /index\.html could not be bundled:\n.*main\.ts:\d+:\d+: Expected "\)"/);
      return true;
    });
    await writeFile(script, 'import { one } from "./one.ts";\nconsole.log(one);\n');
    await assert.rejects(buildPage(entry), /main\.ts:1:\d+: Could not resolve: "\.\/one\.ts"/);
    await writeFile(join(folder, "one.ts"), "export const one = 1;\n");
    const files = await buildPage(entry);
    assert.ok(files.some(({ path }) => path === "/"));
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Kilobytes of script that a first visit loads, packed as the gateway packs them. */
const budgetKb = 220;

test("a first visit loads little script", async () => {
  const files = new Map((await buildPage()).map((file) => [file.path, file]));
  const text = (path: string) => new TextDecoder().decode(files.get(path)?.body);
  const [entry = ""] = [...text("/").matchAll(/src="(\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  // The entry itself says what is shown before the page: what it asks for is loaded at once.
  const wanted = [
    entry,
    ...[...text(entry).matchAll(/import\(\s*"(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path),
  ];
  const loaded = new Set<string>();
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    for (const [, next = ""] of text(path).matchAll(/(?:from|import)\s*"(\/assets\/[^"]+\.js)"/g)) wanted.push(next);
  }
  assert.ok(loaded.size > 2, [...loaded].join());
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const sizes = [...loaded].map((path) => brotliCompressSync(files.get(path)?.body ?? "", options).length);
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  assert.ok(kilobytes < budgetKb, `${Math.round(kilobytes)} kB: load what is heavy when it is opened`);
  assert.ok(kilobytes > 50, "it counts what is loaded");
});
