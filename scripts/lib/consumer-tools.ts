import { join } from "node:path";
import process from "node:process";
import { NpmCache } from "./npm-cache.ts";

/** Versions of Node that the packages are tried on: the oldest that is supported, and the two after it. */
export const nodeVersions = ["20.0.0", "22.23.3", "24.9.0"] as const;

// npm has Node's own builds, one package for each platform.
const platform = process.platform === "win32" ? "win" : process.platform;

const cache = new NpmCache("consumer-tools", {
  ...Object.fromEntries(
    nodeVersions.map((version) => [`node-${version}`, `npm:node-${platform}-${process.arch}@${version}`]),
  ),
  "typescript-5.4": "npm:typescript@5.4.5",
  esbuild: "0.28.2",
  vite: "8.3.8",
});

/** Path of a version of Node. */
export const nodeBinary = (version: (typeof nodeVersions)[number]): string =>
  join(cache.modules, `node-${version}`, "bin", platform === "win" ? "node.exe" : "node");

/** Path of a file of TypeScript 5.4, esbuild or Vite. */
export const toolFile = (...parts: readonly string[]): string => join(cache.modules, ...parts);

/** True if all tools of other people's projects are installed. */
export const hasConsumerTools = async (): Promise<boolean> => cache.isInstalled();

/** Installs them from npm, beside this repository: none of them is a dependency. */
export const installConsumerTools = (): Promise<void> => cache.install();
