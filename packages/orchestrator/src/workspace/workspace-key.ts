import { createHash } from "node:crypto";

/** Longest name of a folder here; file systems take 255 bytes, and what is made beside it needs some. */
const maxLength = 180;

/**
 * Name of an issue's folder. Characters that are not safe become `_`; then, and where the name would be too long or
 * means something else to a file system, a hash of the identifier (80 bits) keeps different issues apart.
 */
export function workspaceKey(identifier: string): string {
  const safe = identifier.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, maxLength);
  // Names of dots alone lead out of the folder; those with a leading dot and `quire` are the orchestrator's own.
  const isReserved = /^\.*$/.test(safe) || safe.startsWith(".quire");
  return safe === identifier && !isReserved ? safe : `${safe}-${hashOf(identifier)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}
