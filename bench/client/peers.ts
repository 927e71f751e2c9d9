import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Clients of Codex that others publish. They are not dependencies of this repository: they are installed beside it. */
const wanted = {
  "@openai/codex-sdk": "0.163.0",
  "ai-sdk-provider-codex-app-server": "1.1.7",
  "ai-sdk-provider-codex-cli": "2.2.1",
  zod: "4.1.13",
};

/** Cache of the packages between runs. */
export const peersFolder: string = join(import.meta.dirname, "..", "..", ".cache", "bench-peers");

/** Installs what is missing. Prints the peers that could not be installed; the comparison continues without them. */
export function installPeers(): ReadonlySet<string> {
  const missing = Object.entries(wanted).filter(([name, version]) => installedVersion(name) !== version);
  if (missing.length > 0) {
    mkdirSync(peersFolder, { recursive: true });
    writeFileSync(join(peersFolder, "package.json"), '{ "private": true }\n');
    const packages = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
    // Without what is optional: that is a Codex of 300 MB for each, and they are given the one at hand.
    const flags = ["--prefix", peersFolder, "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
    console.log(`Installing the peers into ${peersFolder}: ${packages.join(", ")}`);
    spawnSync("npm", ["install", ...flags, "--loglevel=error", ...packages], { stdio: "inherit" });
  }
  const installed = new Set(
    Object.keys(wanted).filter((name) => installedVersion(name) === wanted[name as keyof typeof wanted]),
  );
  for (const name of Object.keys(wanted))
    if (!installed.has(name)) console.error(`\n*** SKIPPED: ${name} cannot be installed\n`);
  return installed;
}

function installedVersion(name: string): string | undefined {
  const manifest = join(peersFolder, "node_modules", name, "package.json");
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version : undefined;
}
