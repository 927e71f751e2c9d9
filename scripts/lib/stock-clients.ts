import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runCommand } from "./run-command.ts";
import { root } from "./workspace.ts";

/** Clients of Codex that others publish and that must work on our server, with what they want beside them. */
const wanted: Readonly<Record<string, string>> = {
  "@agentclientprotocol/codex-acp": "2.6.0",
  "@openai/codex-sdk": "0.163.0",
  "@trishchuk/codex-mcp-tool": "2.5.0",
  "ai-sdk-provider-codex-app-server": "1.1.7",
  "ai-sdk-provider-codex-cli": "2.2.1",
  "ai-sdk-provider-codex-cli-v1": "npm:ai-sdk-provider-codex-cli@1.4.1",
  "codex-mcp-server": "1.4.10",
  happy: "1.2.5",
  zod: "4.1.13",
};

const folder = (): string => join(process.env.QUIRE_CACHE ?? join(root, ".cache"), "stock-clients");

/** True if all of them are installed, in the right version. */
export async function hasStockClients(): Promise<boolean> {
  return Object.entries(wanted).every(([name, version]) => installedVersion(name) === version.split("@").at(-1));
}

/** Installs them from npm, beside this repository: none of them is a dependency. */
export async function installStockClients(): Promise<void> {
  const prefix = folder();
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, "package.json"), '{ "private": true }\n');
  // Without what is optional: that is a Codex of 300 MB, and they are given our server instead.
  const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const packages = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  const { code, output } = await runCommand("npm", ["install", "--prefix", prefix, ...flags, ...packages], {
    cwd: prefix,
  });
  if (code !== 0) throw new Error(`npm install ${packages.join(" ")} failed:\n${output.slice(-2000)}`);
}

function installedVersion(name: string): string | undefined {
  const manifest = join(folder(), "node_modules", name, "package.json");
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version : undefined;
}
