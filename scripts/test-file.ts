/** `npm run t FILE ...`: runs test files from source on Bun, with a home of their own and no build. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { testHome } from "./lib/test-home.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: npm run t FILE ... [-- OPTION ...]

Runs test files, or all in a folder, from source: npm run t packages/server/test/patch
Options go to bun test: -t NAME runs tests by name, --rerun-each 100 shows a flaky one.
Set-up that some tests need (older Codex versions, Chromium, bubblewrap) comes with the first npm test.`;

const words = process.argv.slice(2);
const files = words.filter((word) => !word.startsWith("-") && existsSync(word));
if (files.length === 0 || words.includes("--help")) {
  console.log(words.length === 0 || words.includes("--help") ? usage : `There is no ${words.join(", ")}.\n\n${usage}`);
  process.exit(words.includes("--help") ? 0 : 2);
}
// With a leading ./, bun test takes a word for a path and not for a filter.
const given = words.map((word) => (files.includes(word) && !/^[./]/.test(word) ? `./${word}` : word));
const { status } = spawnSync(process.execPath, ["test", "--timeout=60000", ...given], {
  stdio: "inherit",
  env: { ...process.env, ...testHome(), QUIRE_CACHE: process.env.QUIRE_CACHE ?? join(root, ".cache") },
});
process.exit(status ?? 1);
