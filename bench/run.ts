/** `npm run bench -- NAME`: runs one benchmark, or lists them. Every figure in the docs comes from here. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import process from "node:process";

const here = import.meta.dirname;
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, "main.ts")))
  .map((entry) => entry.name);
const [name, ...rest] = process.argv.slice(2);

if (name === undefined || name === "--help" || !names.includes(name)) {
  console.log(`Usage: npm run bench -- NAME\n\nBenchmarks:\n${names.map((each) => `  ${each}`).join("\n")}`);
  process.exit(name === undefined || name === "--help" ? 0 : 2);
}
const { status } = spawnSync(process.execPath, [join(here, name, "main.ts"), ...rest], { stdio: "inherit" });
process.exit(status ?? 1);
