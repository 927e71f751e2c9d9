import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { codexPlatform } from "./platform.ts";

/**
 * The folder of one installed version: `$QUIRE_CACHE/codex/VERSION`, where `QUIRE_CACHE` is by default `quire` within
 * the user's cache folder. Shared by all test runs and never cleaned by this package.
 */
export function codexCacheDir(version: string): string {
  const root = process.env.QUIRE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "quire");
  return join(root, "codex", version);
}

/**
 * The native binary of a version, or `undefined` when it is not on this machine. Looks first at the packages installed
 * next to this one and in the current folder's project, then in the cache.
 */
export function locateCodex(version: string): string | undefined {
  const bases = [import.meta.url, pathToFileURL(join(process.cwd(), "package.json")).href];
  for (const base of bases) {
    const manifest = resolveFrom(base, "@openai/codex/package.json");
    if (manifest && readVersion(manifest) === version) return binaryOf(manifest);
  }
  return binaryInModules(join(codexCacheDir(version), "node_modules"));
}

/** The binary within a `node_modules` folder that `npm install @openai/codex` has filled. */
export function binaryInModules(modules: string): string | undefined {
  const manifest = join(modules, "@openai", "codex", "package.json");
  return existsSync(manifest) ? binaryOf(manifest) : undefined;
}

/**
 * Three layouts are in use: all platforms within the package (up to 0.98), one optional package for each platform with
 * `codex/codex` (0.118), and the same with `bin/codex` (0.166).
 */
function binaryOf(manifest: string): string | undefined {
  const platform = codexPlatform();
  if (!platform) return undefined;
  const split = resolveFrom(pathToFileURL(manifest).href, `${platform.packageName}/package.json`);
  // Resolution climbs, so a cache within a project may find the package of the project's own Codex: another version.
  const own = split && readVersion(split)?.startsWith(readVersion(manifest) ?? "?") ? [split] : [];
  const candidates = [...own, manifest].flatMap((file) => {
    const vendor = join(dirname(file), "vendor", platform.triple);
    return [join(vendor, "bin", platform.executable), join(vendor, "codex", platform.executable)];
  });
  return candidates.find((file) => existsSync(file));
}

/** Folders with the helpers (ripgrep) that the launcher script puts on the PATH of the binary. */
export function helperDirs(binary: string): string[] {
  const vendor = dirname(dirname(binary));
  return [join(vendor, "codex-path"), join(vendor, "path")].filter((dir) => existsSync(dir));
}

function resolveFrom(base: string, request: string): string | undefined {
  try {
    return createRequire(base).resolve(request);
  } catch {
    return undefined;
  }
}

function readVersion(manifest: string): string | undefined {
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return typeof parsed === "object" && parsed !== null && "version" in parsed ? String(parsed.version) : undefined;
}
