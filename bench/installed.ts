import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../scripts/lib/run-command.ts";
import { stage, staged } from "../scripts/lib/stage.ts";
import { bin, type Package, packages, root } from "../scripts/lib/workspace.ts";

/** Installs a freshly built package as a user would, with those it needs. Returns the folder of its `node_modules`. */
export async function installOurs(short = "client"): Promise<string> {
  const folder = join(root, ".cache", `bench-${short}`);
  const wanted = neededBy(short);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await run(bin("tsc"), ["-b", `packages/${short}`]);
  for (const each of wanted) await stage(each);
  // Copied, not linked: a linked package would find what it needs in this repository.
  const flags = ["--install-links", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", "--prefix", folder, ...flags, ...wanted.map((each) => staged(each.short))]);
  return folder;
}

/** A package and all of ours that it needs. */
function neededBy(short: string): Package[] {
  const all = packages();
  const wanted = new Set(all.filter((each) => each.short === short));
  for (const { manifest } of wanted) {
    const names = Object.keys(manifest.dependencies ?? {});
    for (const each of all) if (names.includes(each.manifest.name)) wanted.add(each);
  }
  return [...wanted];
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`);
}
