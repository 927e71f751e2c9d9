import { compareVersions } from "@quire/protocol";
import { codexVersion } from "@quire/protocol/version";
import { standIn } from "./install.ts";

/** Versions that every run of the tests covers, oldest first. */
const usual = ["0.98.0", "0.118.0", codexVersion];

/** Versions that a test is for; both ends are included. */
export interface VersionRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Lists the Codex versions that live tests run on: those of `QUIRE_CODEX_VERSIONS` (separated by commas), else three.
 * A server that stands in for Codex speaks the newest protocol, and counts as that version alone.
 */
export function testedVersions({ since, until }: VersionRange = {}): string[] {
  const asked = process.env.QUIRE_CODEX_VERSIONS?.split(",").filter(Boolean) ?? usual;
  const versions = standIn() === undefined ? asked : usual.slice(-1);
  return versions.filter((version) => isWithin(version, { since, until }));
}

/** Tells whether a version lies in a range. */
export function isWithin(version: string, { since = "0.0.0", until = "999.0.0" }: VersionRange): boolean {
  return compareVersions(version, since) >= 0 && compareVersions(version, until) <= 0;
}
