/** `npm run release -- VERSION`: versions, builds, checks and publishes all packages, with provenance. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { currentVersion, publishOrder, ReleaseError, releaseFiles } from "./lib/release.ts";
import { endCommandsOnSignal, runCommand } from "./lib/run-command.ts";
import { staged } from "./lib/stage.ts";
import { root } from "./lib/workspace.ts";

const usage = `Usage: npm run release -- VERSION [--dry-run]

Releases all packages in one version: writes it into every manifest and the changelog, builds, runs the tests, commits,
tags, and publishes to npm with provenance (in CI, where npm can prove where a package was built).
  --dry-run   writes and publishes nothing; says which files would change and what each package would hold

The working tree must be clean and on main.`;

/** All tests take a quarter of an hour on two cores. */
const testMinutes = 60;

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean" }, help: { type: "boolean" } },
  allowPositionals: true,
});
const [version] = positionals;
if (values.help || version === undefined || positionals.length > 1) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
endCommandsOnSignal();
try {
  await release(version, values["dry-run"] === true);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function release(to: string, isDry: boolean): Promise<void> {
  const files = releaseFiles(to, new Date().toISOString().slice(0, 10));
  console.log(`${currentVersion()} → ${to}`);
  for (const { path } of files) console.log(`  ${isDry ? "would write" : "writes"} ${path}`);
  if (isDry) {
    for (const { short } of publishOrder()) await describePackage(short);
    return;
  }
  if ((await run("git", ["status", "--porcelain"])) !== "")
    throw new ReleaseError("Commit or stash your changes first.");
  if ((await run("git", ["branch", "--show-current"])) !== "main") throw new ReleaseError("Check out main first.");
  for (const { path, text } of files) writeFileSync(join(root, path), text);
  // Also builds. What does not pass is not released; `git checkout .` takes the version back.
  await run("npm", ["test"], testMinutes);
  await run("git", ["commit", "--all", "--message", `Release ${to}`]);
  await run("git", ["tag", `v${to}`]);
  const flags = ["--provenance", "--access", "public", ...(to.includes("-") ? ["--tag", "next"] : [])];
  for (const { short } of publishOrder()) await run("npm", ["publish", ...flags, staged(short)]);
  console.log(`Published ${to}. Push it: git push origin main v${to}`);
}

async function describePackage(short: string): Promise<void> {
  const said = await run("npm", ["pack", "--dry-run", "--json", "--silent", staged(short)]);
  // npm may warn first.
  const [packed] = JSON.parse(said.slice(said.indexOf("["))) as { name: string; entryCount: number; size: number }[];
  if (packed === undefined) throw new ReleaseError(`dist/${short} is not there: npm run build`);
  const { name, entryCount, size } = packed;
  console.log(`  would publish ${name}: ${entryCount} files, ${(size / 1024).toFixed(0)} kB packed`);
}

async function run(command: string, args: readonly string[], minutes = 10): Promise<string> {
  const { code, output } = await runCommand(command, args, { cwd: root, timeoutMs: minutes * 60_000 });
  if (code !== 0) throw new ReleaseError(`${command} ${args.join(" ")} failed:\n${output}`);
  return output.trim();
}
