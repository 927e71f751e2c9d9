import { createReadStream, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import type { NpmPluginSource } from "@quire/protocol";
import { isTable } from "../config/table.ts";
import { fetchWith, type ToolEnv } from "./fetch-with.ts";
import { PluginProblem } from "./marketplace.ts";

/** How large a package may be, packed and unpacked. */
const maxPacked = 50 << 20;
const maxUnpacked = 256 << 20;

/** Fetches a package by `npm pack`, as `.npmrc` says, and unpacks it. None of its scripts runs. Gives its folder. */
export async function unpackPackage(source: NpmPluginSource, staging: string, env: ToolEnv): Promise<string> {
  const packed = join(staging, "packed");
  mkdirSync(packed);
  const spec = source.version ? `${source.package}@${source.version}` : source.package;
  const registry = source.registry ? ["--registry", source.registry] : [];
  const args = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", packed, ...registry, "--", spec];
  // Not in anybody's folder, whose .npmrc would count.
  await fetchWith("npm", args, env, staging).catch((error: unknown) => {
    throw new PluginProblem(error instanceof Error ? error.message : String(error));
  });
  const [name, ...more] = readdirSync(packed);
  if (name === undefined || more.length > 0) throw new PluginProblem(`npm pack gave no archive of ${spec}`);
  const archive = join(packed, name);
  await checkSize(archive, spec);
  const unpacked = join(staging, "unpacked");
  // Entries that lead out of the folder are kept within it.
  await new Bun.Archive(await Bun.file(archive).bytes()).extract(unpacked);
  const folder = join(unpacked, "package");
  checkName(folder, source.package);
  return folder;
}

async function checkSize(archive: string, spec: string): Promise<void> {
  const { size } = statSync(archive);
  if (size > maxPacked) throw new PluginProblem(`${spec} is too large: ${size} bytes, of ${maxPacked} at most`);
  let unpacked = 0;
  for await (const chunk of createReadStream(archive).pipe(createGunzip())) {
    unpacked += (chunk as Buffer).length;
    if (unpacked > maxUnpacked) throw new PluginProblem(`${spec} is too large: over ${maxUnpacked} bytes unpacked`);
  }
}

/** A registry that answers with another package is not trusted. */
function checkName(folder: string, wanted: string): void {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch (error) {
    throw new PluginProblem(`the package has no package.json: ${error instanceof Error ? error.message : error}`);
  }
  const name = isTable(value) ? value.name : undefined;
  if (name !== wanted) throw new PluginProblem(`npm package name \`${name}\` is not \`${wanted}\``);
}
