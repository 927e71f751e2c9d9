/** The cost of the protections: turns of our app-server beside those of a copy of it without them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { makeUnprotected } from "./unprotected.ts";

const rounds = process.argv.find((word) => /^\d+$/.test(word)) ?? "9";
// Not in /tmp, which every policy opens.
const folder = mkdtempSync("/var/tmp/quire-unprotected-");
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
makeUnprotected(join(import.meta.dirname, "..", ".."), folder);
console.log(
  "`before` is the same checkout without: checked files, trust by content, vetted programs, protected names, hidden homes, Landlock.",
);
for (const name of ["tools", "server"]) {
  const program = join(import.meta.dirname, "..", name, "main.ts");
  const { status } = spawnSync(process.execPath, [program, rounds, "--before", folder], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
