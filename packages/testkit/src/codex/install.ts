import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { binaryInModules, codexCacheDir, locateCodex } from "./locate.ts";
import { codexPlatform } from "./platform.ts";

/** Installs under way in this process, so that tests which start together share one download. */
const running = new Map<string, Promise<string>>();

/**
 * Another app-server that takes Codex's flags stands in for every version: with it a suite that was written for Codex
 * runs against that server.
 */
export const standIn = (): string | undefined => process.env.QUIRE_CODEX_COMMAND || undefined;

/** True if the binary of a version is on this machine. Downloads nothing. */
export function codexAvailable(version: string): boolean {
  return (standIn() ?? locateCodex(version)) !== undefined;
}

/**
 * Returns the path of a version's native binary, and installs it from npm if it is missing (up to 200 MB, once).
 * Safe to call at the same time from several processes. Throws when npm cannot get it.
 */
export function installCodex(version: string): Promise<string> {
  const found = standIn() ?? locateCodex(version);
  if (found) return Promise.resolve(found);
  let install = running.get(version);
  if (!install) {
    install = downloadCodex(version).finally(() => running.delete(version));
    running.set(version, install);
  }
  return install;
}

/** Installs into a folder of its own, then moves it to its place in one step: nobody ever sees half an install. */
async function downloadCodex(version: string): Promise<string> {
  const platform = codexPlatform();
  if (!platform) throw new Error(`Codex has no binary for ${process.platform} on ${process.arch}`);
  const target = codexCacheDir(version);
  await mkdir(dirname(target), { recursive: true });
  const staging = await mkdtemp(join(dirname(target), `.install-${version}-`));
  try {
    await npmInstall(staging, `@openai/codex@${version}`);
    const modules = join(staging, "node_modules");
    // npm leaves out an optional package without a word when its download fails.
    if (!binaryInModules(modules)) {
      throw new Error(`npm installed @openai/codex@${version} without a binary for ${platform.triple}: try again`);
    }
    await dropOtherPlatforms(join(modules, "@openai", "codex", "vendor"), platform.triple);
    await moveInto(staging, target);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const binary = locateCodex(version);
  if (!binary) throw new Error(`Codex ${version} is not in ${target}, though it was just installed`);
  return binary;
}

function npmInstall(folder: string, spec: string): Promise<void> {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const windows = process.platform === "win32";
  const args = ["install", "--prefix", windows ? `"${folder}"` : folder, ...flags, spec];
  return new Promise((resolve, reject) => {
    const npm = spawn("npm", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], shell: windows });
    let output = "";
    const collect = (chunk: Buffer) => {
      output = (output + chunk).slice(-4000);
    };
    npm.stdout.on("data", collect);
    npm.stderr.on("data", collect);
    npm.once("error", (cause) => reject(new Error("npm not found: it is needed to install Codex", { cause })));
    npm.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm install ${spec} failed with exit code ${code}:\n${output}`));
    });
  });
}

/** 0.98 brings the binaries of all platforms, most of half a gigabyte that nobody here can run. */
async function dropOtherPlatforms(vendor: string, triple: string): Promise<void> {
  const folders = await readdir(vendor).catch(() => []);
  const others = folders.filter((name) => name !== triple);
  await Promise.all(others.map((name) => rm(join(vendor, name), { recursive: true, force: true })));
}

/** Keeps a good install that another process put in place first; a broken one is moved away. */
async function moveInto(staging: string, target: string): Promise<void> {
  try {
    await rename(staging, target);
  } catch (error) {
    if (binaryInModules(join(target, "node_modules"))) return;
    const broken = `${staging}-replaced`;
    await rename(target, broken).catch(() => {
      throw error;
    });
    await rename(staging, target);
    await rm(broken, { recursive: true, force: true });
  }
}
