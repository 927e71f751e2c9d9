import { homeFile } from "./home-file.ts";
import { seccompProgram } from "./seccomp.ts";
import { SandboxUnavailable } from "./unavailable.ts";

let program: Uint8Array | undefined;

/** The path of the filter, in the server's home. */
export function seccompFilter(home: string): string {
  program ??= seccompProgram(process.arch);
  if (program === undefined) throw new SandboxUnavailable(`there is no system-call filter for ${process.arch}`);
  return homeFile({ home, name: "seccomp", mode: 0o600 }, program);
}
