import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

/** The folder of a client that the set-up installed, whether it could or not. */
export function clientFolder(name: string): string {
  return join(process.env.QUIRE_CACHE ?? join(root, ".cache"), "stock-clients", "node_modules", name);
}

/** The main file of a client that the set-up installed; `undefined` where it could not. */
export function clientFile(name: string): string | undefined {
  const files = ["index.js", "index.mjs"].map((file) => join(clientFolder(name), "dist", file));
  return files.find((file) => existsSync(file));
}

/** Why a client cannot be tried; `false` where it can. Never silent, and an error where nothing may be skipped. */
export function skipWithoutClient(name: string): string | false {
  if (clientFile(name)) return false;
  const reason = `${name} is not installed: run \`node scripts/setup.ts\`, which needs a registry`;
  if (process.env.CI && process.env.CI !== "false") throw new Error(reason);
  process.stderr.write(`\n*** SKIPPED: ${reason}\n\n`);
  return reason;
}
