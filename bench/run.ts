/** `npm run bench -- NAME`: runs one benchmark, or lists them. Every figure in the docs comes from here. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** Benchmarks that compare no times: a busy machine changes nothing, or makes their bounds harder to keep. */
const anyLoad: readonly string[] = ["cache", "endurance"];

const here = import.meta.dirname;
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(here, entry.name, "main.ts")))
  .map((entry) => entry.name);
const [name, ...rest] = process.argv.slice(2);

if (name === undefined || name === "--help" || !names.includes(name)) {
  console.log(
    `Usage: npm run bench -- NAME [ROUNDS] [--record | --before FOLDER]\n\nWith --record the figures are kept in docs/figures and docs/benchmarks.md is written anew.\nWith --before, server, tools, search and fs compare with another checkout of Quire instead of with Codex.\n\nBenchmarks:\n${names.map((each) => `  ${each}`).join("\n")}`,
  );
  process.exit(name === undefined || name === "--help" ? 0 : 2);
}
if (rest.includes("--record") && rest.includes("--before")) {
  console.log("Figures are recorded against Codex only: leave out --before, or --record.");
  process.exit(2);
}
const [load = 0] = loadavg();
if (rest.includes("--record") && load > 0.5 && !anyLoad.includes(name)) {
  console.log(
    `Not recorded: the machine is busy (load ${load.toFixed(1)}), so the figures would not be worth keeping.`,
  );
  process.exit(2);
}
const folder = quietFolder();
const { status } = spawnSync(process.execPath, [join(here, name, "main.ts"), ...rest], {
  stdio: "inherit",
  env: { ...process.env, TMPDIR: folder },
});
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);

/**
 * A folder for temporary files. A user's do not lie among thousands that were just deleted: there, ext4 takes up to fifty
 * times as long to make a file, for minutes, and every figure would be about that. The attribute T has each folder in it
 * put elsewhere on the disk; other file systems do without.
 */
function quietFolder(): string {
  const made = mkdtempSync(join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "quire-bench-"));
  spawnSync("chattr", ["+T", made], { stdio: "ignore" });
  return made;
}
