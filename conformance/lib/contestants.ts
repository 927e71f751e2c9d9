import { join } from "node:path";

/** A server that scenarios run against. */
export interface Contestant {
  readonly name: string;
  /** The executable that takes `app-server` as its first argument; the real Codex unless given. */
  readonly command?: string;
}

/** The version of Codex that ours is compared to: the one whose protocol the packages implement. */
export const realVersion = "0.166.0";

/** The real Codex. */
export const real: Contestant = { name: `Codex ${realVersion}` };

/** Ours, from source. */
export const ours: Contestant = {
  name: "Quire",
  command: join(import.meta.dirname, "..", "..", "packages", "cli", "bin", "quire"),
};
