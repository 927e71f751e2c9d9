import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";

/** A place for one attempt, with folders that stand for those of a machine. */
export interface World extends AsyncDisposable {
  readonly base: string;
  /** Where commands run and write. */
  readonly workspace: string;
  /** What they must not touch; holds `file`, with the line `untouched`. */
  readonly outside: string;
  /** The server's home. */
  readonly home: string;
}

/** Makes one. Not in the temporary folder, which commands can write. */
export async function world(): Promise<World> {
  const base = await realpath(await mkdtemp("/var/tmp/quire-escape-"));
  const at = (name: string) => {
    mkdirSync(join(base, name));
    return join(base, name);
  };
  const made = { base, workspace: at("workspace"), outside: at("outside"), home: at("home") };
  writeFileSync(join(made.outside, "file"), "untouched\n");
  const remove = () => rm(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return { ...made, [Symbol.asyncDispose]: remove };
}
