import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
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
