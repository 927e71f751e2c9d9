import { join } from "node:path";
import { codexVersion } from "@quire/protocol/version";

/** A server that scenarios run against. */
export interface Contestant {
  readonly name: string;
  /** The real Codex whose home it gets, and which runs unless there is a `command`. */
  readonly version: string;
  /** The executable that takes `app-server` as its first argument. */
  readonly command?: string;
}

/** The version of Codex that ours is compared to: the one whose protocol the packages implement. */
export const realVersion = codexVersion;

/** The real Codex of a version. */
export function realCodexOf(version: string): Contestant {
  return { name: `Codex ${version}`, version };
}

/** The real Codex that ours is compared to. */
export const real: Contestant = realCodexOf(realVersion);

/** Ours, from source. */
export const ours: Contestant = {
  name: "Quire",
  version: realVersion,
  command: join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire"),
};
