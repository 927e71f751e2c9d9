import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { orchestratorHome } from "../lib/token-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The file of a workflow's state: one for each, so that several orchestrators can work side by side. */
export function defaultStateFile(path: string, env: Env): string {
  const hash = createHash("sha256").update(realpathSync(path)).digest("hex").slice(0, 16);
  return join(orchestratorHome(env), `${hash}.sqlite`);
}

/** Path of the agreement, next to the state file; undefined if the state is not kept. */
export function agreementFile(stateFile: string): string | undefined {
  return stateFile === ":memory:" ? undefined : `${stateFile.replace(/\.sqlite$/, "")}.agreed.json`;
}
