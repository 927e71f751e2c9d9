import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Lock, missingOptional } from "../scripts/lib/lock.ts";
import { filesBelow, packages, root } from "../scripts/lib/workspace.ts";

test("the root project builds every package and its tests", () => {
  const { references } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as {
    references: { path: string }[];
  };
  const listed = new Set(references.map(({ path }) => path));
  const wanted = packages().flatMap(({ short, dir }) => [
    `packages/${short}`,
    ...(filesBelow(join(dir, "test"), ".ts").length > 0 ? [`packages/${short}/test`] : []),
  ]);
  const missing = wanted.filter((path) => existsSync(join(root, path, "tsconfig.json")) && !listed.has(path));
  assert.deepEqual(missing, [], "add them to tsconfig.json");
});

test("every package has tests", () => {
  const without = packages().filter(({ dir }) => filesBelow(join(dir, "test"), ".test.ts").length === 0);
  assert.deepEqual(
    without.map(({ short }) => short),
    [],
  );
});

test("npm ci takes the lock file: it holds the optional packages of all platforms", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const missing = missingOptional(lock).map(([path]) => path);
  assert.deepEqual(missing, [], "run: node_modules/.bin/bun scripts/complete-lock.ts");
});

test("an optional package that the lock file lacks is reported with its platform", () => {
  const optionalDependencies = {
    "@x/linux-x64-musl": "1.2.3",
    "@x/win": "npm:@x/all@1.2.3-win32-arm64",
    "@x/there": "1.2.3",
  };
  const packages = { "node_modules/x": { dev: true, optionalDependencies }, "node_modules/@x/there": {} };
  assert.deepEqual(missingOptional({ packages }), [
    [
      "node_modules/@x/linux-x64-musl",
      { version: "1.2.3", cpu: ["x64"], dev: true, libc: ["musl"], optional: true, os: ["linux"] },
    ],
    [
      "node_modules/@x/win",
      { name: "@x/all", version: "1.2.3-win32-arm64", cpu: ["arm64"], dev: true, optional: true, os: ["win32"] },
    ],
  ]);
});
