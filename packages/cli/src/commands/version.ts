import { codexVersion, quireVersion } from "@quire/server";

/** Prints which Quire this is and whose protocol it speaks. Gives the exit code. */
export function version(): number {
  process.stdout.write(`quire ${quireVersion} (app-server protocol of Codex ${codexVersion})\n`);
  return 0;
}
