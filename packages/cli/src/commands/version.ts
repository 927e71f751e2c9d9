import { codexVersion, quireVersion } from "@quire/server";

/** Prints the version of Quire and of its protocol. Returns the exit code. */
export function version(): number {
  process.stdout.write(`quire ${quireVersion} (app-server protocol of Codex ${codexVersion})\n`);
  return 0;
}
