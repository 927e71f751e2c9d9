import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { root } from "../scripts/lib/workspace.ts";

/** Files that hold the pinned version: its source, what tools make of it, and records of what was seen with it. */
const allowed: readonly RegExp[] = [
  /^package(-lock)?\.json$/,
  /^CHANGELOG\.md$/,
  /^docs\//,
  /^packages\/protocol\/generator\/history\.tsv$/,
  /^packages\/protocol\/src\/generated\//,
  /\/fixtures\//,
  // Says what came with certain versions, whichever is pinned.
  /^packages\/(client|protocol)\/test\/.*versions?\b.*\.test\.ts$/,
  /^test\/upstream\.test\.ts$/,
];

function mentions(files: readonly (readonly [path: string, text: string])[]): string[] {
  return files.flatMap(([path, text]) =>
    text.includes(codexVersion) && !allowed.some((pattern) => pattern.test(path)) ? [path] : [],
  );
}

test("the pinned version of Codex stands in package.json alone, so that a move changes one line", () => {
  const paths = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  const texts = paths.filter((path) => /\.(tsx?|mjs|js|json|sh|ya?ml|md|toml)$/.test(path));
  const files = texts.flatMap((path): [string, string][] => {
    try {
      return [[path, readFileSync(join(root, path), "utf8")]];
    } catch {
      // Deleted, and not committed yet.
      return [];
    }
  });
  assert.deepEqual(mentions(files), [], "import codexVersion from @quire/protocol/version");
  assert.deepEqual(mentions([["packages/x/src/planted.ts", `"${codexVersion}"`]]), ["packages/x/src/planted.ts"]);
});

test("the generated version is the pinned one", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.equal(codexVersion, manifest.devDependencies["@openai/codex"], "npm install && npm run protocol:update");
});
