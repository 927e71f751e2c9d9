import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the repository. */
export const repositoryRoot: string = join(dirname(fileURLToPath(import.meta.url)), "../../..");

const machines: { readonly [arch: string]: string } = { x64: "x86_64", arm64: "aarch64" };
const systems: { readonly [platform: string]: string } = { linux: "linux", darwin: "apple-darwin", win32: "windows" };

/**
 * Finds the native Codex binary below a `node_modules` folder, on any platform that Codex is built for. The layout changed
 * twice: the vendor folder moved into a package for each platform, and the binary from `codex/` to `bin/`.
 */
function findBinary(nodeModules: string): string | undefined {
  const { platform, arch } = process;
  const machine = machines[arch] ?? arch;
  const system = systems[platform] ?? platform;
  const file = platform === "win32" ? "codex.exe" : "codex";
  for (const name of [`codex-${platform}-${arch}`, "codex"]) {
    const vendor = join(nodeModules, "@openai", name, "vendor");
    if (!existsSync(vendor)) continue;
    const triples = readdirSync(vendor).filter((triple) => triple.startsWith(machine) && triple.includes(system));
    const candidates = triples.flatMap((triple) => [
      join(vendor, triple, "bin", file),
      join(vendor, triple, "codex", file),
    ]);
    const found = candidates.find((candidate) => existsSync(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An installed Codex. */
export interface CodexBinary {
  readonly binary: string;
  readonly version: string;
}

/** The Codex that the repository pins as a dev dependency. */
export function pinnedCodex(): CodexBinary {
  const nodeModules = join(repositoryRoot, "node_modules");
  const binary = findBinary(nodeModules);
  if (binary === undefined) throw new Error("@openai/codex is not installed for this platform: run `npm install`");
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(nodeModules, "@openai/codex/package.json"), "utf8"),
  );
  const root: { devDependencies: { [name: string]: string } } = JSON.parse(
    readFileSync(join(repositoryRoot, "package.json"), "utf8"),
  );
  const pin = root.devDependencies["@openai/codex"];
  if (pin !== manifest.version) {
    throw new Error(`package.json pins Codex ${pin}, but ${manifest.version} is installed: run \`npm install\``);
  }
  return { binary, version: manifest.version };
}

/** Installs any published Codex into a folder and gives its binary. */
export function installedCodex(version: string, directory: string): string {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["install", "--prefix", directory, "--no-save", "--no-audit", "--no-fund", `@openai/codex@${version}`];
  execFileSync(npm, args, { stdio: "inherit", cwd: directory, shell: process.platform === "win32" });
  const installed = findBinary(join(directory, "node_modules"));
  if (installed === undefined) throw new Error(`@openai/codex@${version} has no binary for this platform`);
  return installed;
}

/** The binary of any published Codex, installed into the cache on first use. */
export function cachedCodex(version: string): string {
  const directory = join(process.env.QUIRE_CACHE ?? join(repositoryRoot, ".cache"), "codex", version);
  const present = findBinary(join(directory, "node_modules"));
  if (present !== undefined) return present;
  mkdirSync(directory, { recursive: true });
  return installedCodex(version, directory);
}
