import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, root } from "../../scripts/lib/workspace.ts";
import { exempt, fileAccessViolations, unguarded } from "../lib/file-access.ts";

test("no part of the server that deals with workspaces opens files by itself", () => {
  const src = join(root, "packages", "server", "src");
  const sources = filesBelow(src, ".ts");
  assert.ok(sources.length > 100, "the sources were not found");
  const files = new Map(sources.map((file) => [relative(src, file), readFileSync(file, "utf8")]));
  assert.deepEqual(fileAccessViolations(files), []);
  assert.deepEqual(
    Object.keys(exempt).filter((path) => !files.has(path)),
    [],
    "exemptions of files that are not there any more",
  );
  assert.deepEqual(
    Object.keys(unguarded).filter((folder) => ![...files.keys()].some((path) => path.startsWith(`${folder}/`))),
    [],
    "exemptions of folders that are not there any more",
  );
});

const violations = (text: string, path = "prompt/new.ts") => fileAccessViolations(new Map([[path, text]]));

const planted = [
  'import { readFileSync } from "node:fs";',
  'import { readFile } from "node:fs/promises";',
  'import fs from "fs";',
  'const fs = await import("node:fs");',
  'const fs = require("node:fs");',
  "const text = await Bun.file(path).text();",
  "await Bun.write(path, text);",
  "const { file } = Bun;",
  'export { readFileSync } from "node:fs";',
  'const fs = process.getBuiltinModule("node:fs");',
  'const database = new Database(join(workspace, "x.db"));',
];

for (const text of planted) {
  test(`a planted violation is reported: ${text}`, () => {
    assert.match(violations(text).join(), /prompt\/new\.ts opens files by itself/);
  });
}

test("a folder that comes later is guarded without being named anywhere", () => {
  const text = 'import { readFileSync } from "node:fs";';
  for (const path of ["later/new.ts", "features/later/new.ts", "processors/thread/later.ts", "new.ts"])
    assert.match(violations(text, path).join(), /opens files by itself/, path);
});

test("types, folders that keep the server's own files, and mere looks at paths are let through", () => {
  assert.deepEqual(violations('import type { Stats } from "node:fs";'), []);
  assert.deepEqual(violations('import { readFileSync } from "node:fs";', "account/new.ts"), []);
  assert.deepEqual(violations('import { lstatSync, type Stats } from "node:fs";', "run/sandbox/new.ts"), []);
});

test("a look is let through only where the work is about paths, and only while nothing is opened", () => {
  assert.match(violations('import { lstatSync } from "node:fs";').join(), /opens files by itself/);
  assert.match(
    violations('import { lstatSync, openSync } from "node:fs";', "run/sandbox/new.ts").join(),
    /opens files/,
  );
  assert.match(violations('import {\n  lstatSync,\n  openSync,\n} from "node:fs";', "store/new.ts").join(), /opens/);
  assert.match(violations('import * as fs from "node:fs";', "config/new.ts").join(), /opens files by itself/);
});

test("an exemption that is not needed any more is reported", () => {
  assert.match(violations("", "features/hooks/fit-output.ts").join(), /needs no exemption/);
});
