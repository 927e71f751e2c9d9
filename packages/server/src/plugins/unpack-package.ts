import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NpmPluginSource } from "@quire/protocol";
import { errorMessage } from "../lib/error-message.ts";
import { isTable } from "../lib/table.ts";
import { fetchWith, type ToolEnv } from "./fetch-with.ts";
import { PluginProblem } from "./marketplace.ts";
import { unpackArchive } from "./unpack-archive.ts";

/** Downloads a package by `npm pack`, using `.npmrc`, and unpacks it. Runs none of its scripts. Returns its folder. */
export async function unpackPackage(source: NpmPluginSource, staging: string, env: ToolEnv): Promise<string> {
  const packed = join(staging, "packed");
  mkdirSync(packed);
  const spec = source.version ? `${source.package}@${source.version}` : source.package;
  const registry = source.registry ? ["--registry", source.registry] : [];
  const args = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", packed, ...registry, "--", spec];
  // Not in anybody's folder, whose .npmrc would count.
  await fetchWith("npm", args, env, staging).catch((error: unknown) => {
    throw new PluginProblem(errorMessage(error));
  });
  const [name, ...more] = readdirSync(packed);
  if (name === undefined || more.length > 0) throw new PluginProblem(`npm pack gave no archive of ${spec}`);
  const archive = join(packed, name);
  const unpacked = join(staging, "unpacked");
  await unpackArchive(archive, unpacked);
  const folder = join(unpacked, "package");
  checkName(folder, source.package);
  return folder;
}

/** A registry that answers with another package is not trusted. */
function checkName(folder: string, wanted: string): void {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch (error) {
    throw new PluginProblem(`the package has no package.json: ${errorMessage(error)}`);
  }
  const name = isTable(value) ? value.name : undefined;
  if (name !== wanted) throw new PluginProblem(`npm package name \`${name}\` is not \`${wanted}\``);
}
