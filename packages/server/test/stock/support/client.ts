import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

/** The main file of a client that the set-up installed; `undefined` where it could not. */
export function clientFile(name: string): string | undefined {
  const cache = process.env.QUIRE_CACHE ?? join(root, ".cache");
  const file = join(cache, "stock-clients", "node_modules", name, "dist", "index.js");
  return existsSync(file) ? file : undefined;
}

/** Why a client cannot be tried; `false` where it can. Never silent, and an error where nothing may be skipped. */
export function skipWithoutClient(name: string): string | false {
  if (clientFile(name)) return false;
  const reason = `${name} is not installed: run \`node scripts/setup.ts\`, which needs a registry`;
  if (process.env.CI && process.env.CI !== "false") throw new Error(reason);
  process.stderr.write(`\n*** SKIPPED: ${reason}\n\n`);
  return reason;
}
