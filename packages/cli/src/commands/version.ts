import { codexVersion, quireVersion } from "@quire/server";
import { programName } from "../args/program-name.ts";

/** Prints the version of Quire and of its protocol. Returns the exit code. */
export function version(): number {
  // Clients read the version of what they started from this very line.
  if (programName === "codex") process.stdout.write(`codex-cli ${codexVersion}\n`);
  else process.stdout.write(`quire ${quireVersion} (app-server protocol of Codex ${codexVersion})\n`);
  return 0;
}
