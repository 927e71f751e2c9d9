import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../scripts/lib/run-command.ts";
import { stage, staged } from "../scripts/lib/stage.ts";
import { bin, packages, root } from "../scripts/lib/workspace.ts";

const measured = ["jsonrpc", "protocol", "client"];

/** Installs freshly built packages as a user would, and returns the folder whose `node_modules` holds them. */
export async function installOurs(): Promise<string> {
  const folder = join(root, ".cache", "bench-ours");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await run(bin("tsc"), ["-b", "packages/client"]);
  for (const each of packages()) if (measured.includes(each.short)) await stage(each);
  // Copied, not linked: a linked package would find what it needs in this repository.
  const flags = ["--install-links", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", "--prefix", folder, ...flags, ...measured.map(staged)]);
  return folder;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}
