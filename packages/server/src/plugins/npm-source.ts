import type { NpmPluginSource } from "@quire/protocol";
import type { Table } from "../lib/table.ts";

const namePattern = /^(@[A-Za-z0-9-][\w.-]*\/)?[A-Za-z0-9-][\w.-]*$/;

/** A source in npm's registry; `undefined` for what is none, or leads elsewhere than to a registry over https. */
export function npmSource(source: Table): NpmPluginSource | undefined {
  const { package: name, version, registry } = source;
  if (typeof name !== "string" || !namePattern.test(name)) return undefined;
  const wanted = typeof version === "string" ? version.trim() : null;
  const from = typeof registry === "string" ? registry.trim() : null;
  // Neither a folder, nor a repository, nor another package.
  if (wanted !== null && !/^[^:/\\]+$/.test(wanted)) return undefined;
  if (from !== null && !isRegistry(from)) return undefined;
  return { type: "npm", package: name, version: wanted, registry: from };
}

function isRegistry(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, search, hash } = new URL(address);
  return protocol === "https:" && [username, password, search, hash].every((part) => part === "");
}
