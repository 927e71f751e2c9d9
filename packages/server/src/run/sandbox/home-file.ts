import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxUnavailable } from "./unavailable.ts";

/** A file that the sandbox needs, and where it is kept. */
export interface HomeFile {
  readonly home: string;
  /** Without its suffix, which distinguishes contents. */
  readonly name: string;
  readonly mode: number;
}

const written = new Map<string, string>();

/** The path of a file in the server's home, which no sandbox shows or opens. Written once. */
export function homeFile({ home, name, mode }: HomeFile, contents: Uint8Array): string {
  const folder = join(home, "sandbox");
  const path = join(folder, `${name}-${Bun.hash(contents).toString(16)}`);
  const known = written.get(path);
  if (known !== undefined && existsSync(known)) return known;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // In one step: another server with the same home may use it at this moment.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents, { mode });
    renameSync(draft, path);
  } catch (error) {
    throw new SandboxUnavailable(
      `what the sandbox needs cannot be written to ${folder} (${(error as Error).message}): make it writable`,
    );
  }
  written.set(path, path);
  return path;
}
