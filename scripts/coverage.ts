/** `bun scripts/coverage.ts`: writes docs/coverage.md, the table of all methods. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { coveragePage } from "./lib/coverage/page.ts";
import { recordWire } from "./lib/coverage/wire.ts";
import { endCommandsOnSignal } from "./lib/run-command.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: bun scripts/coverage.ts [--check | --record]

Writes docs/coverage.md from the protocol's tables, the client's sources and docs/coverage.json.
  --check    writes nothing and fails when the page is not up to date
  --record   first runs the client's tests against the real Codex and writes docs/coverage.json anew`;

const [flag] = process.argv.slice(2);
if (flag !== undefined && flag !== "--check" && flag !== "--record") {
  console.log(usage);
  process.exit(flag === "--help" ? 0 : 2);
}
endCommandsOnSignal();
if (flag === "--record") await recordWire();

const page = join(root, "docs", "coverage.md");
const text = coveragePage();
if (flag !== "--check") {
  writeFileSync(page, text);
} else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/coverage.md is not up to date: run bun scripts/coverage.ts");
  process.exit(1);
}
