import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seccompProgram } from "./seccomp.ts";
import { SandboxUnavailable } from "./unavailable.ts";

const written = new Map<string, string>();

/** The path of the filter, in the server's home, where nothing in a sandbox can change it. Written once. */
export function seccompFilter(home: string): string {
  const known = written.get(home);
  if (known !== undefined && existsSync(known)) return known;
  const program = seccompProgram(process.arch);
  if (program === undefined) throw new SandboxUnavailable(`there is no system-call filter for ${process.arch}`);
  const folder = join(home, "sandbox");
  const name = `seccomp-${Bun.hash(program).toString(16)}.bpf`;
  const path = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // In one step: another server with the same home may read it at this moment.
    const draft = join(folder, `.${name}.${process.pid}`);
    writeFileSync(draft, program, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw new SandboxUnavailable(
      `the sandbox's filter cannot be written to ${folder} (${(error as Error).message}): make it writable`,
    );
  }
  written.set(home, path);
  return path;
}
