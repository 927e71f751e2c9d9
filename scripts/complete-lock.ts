/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out of it. npm does so when a registry
 * does not serve them, and then `npm ci` refuses its own lock file. Run it after `npm install` if the tests ask for it.
 *
 * The entries have no integrity, since nothing was downloaded; `os`, `cpu` and `libc` keep them from being installed here.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Lock, missingOptional } from "./lib/lock.ts";
import { root } from "./lib/workspace.ts";

const file = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8")) as Lock;
const missing = missingOptional(lock);
const packages = { ...lock.packages, ...Object.fromEntries(missing) };
const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`package-lock.json: ${missing.length} entries added`);
