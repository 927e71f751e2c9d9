import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

type Env = Readonly<Record<string, string | undefined>>;

/** Variable that chooses the token, for clients that do not share the home. It is not handed on to children. */
export const tokenVariable = "QUIRE_ORCHESTRATOR_TOKEN";

/** Longest file that is read: a token is short. */
const maxBytes = 1024;

/** The folder of the orchestrator's own files: in `$QUIRE_HOME`, which agents do not see. */
export function orchestratorHome(env: Env): string {
  return join(env.QUIRE_HOME || join(env.HOME ?? homedir(), ".quire"), "orchestrator");
}

/** Path of the file that holds the status API's token for a port, for other programs of the same user. */
export function tokenFile(port: number, env: Env): string {
  return join(orchestratorHome(env), `status-${port}.token`);
}

/** Writes the token for its owner alone; the caller removes the file when the API ends. */
export function writeTokenFile(path: string, token: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    // A new file, so that neither the rights nor the target of one that is there count.
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The token of the status API on a port; undefined where there is none that is ours alone. */
export function readTokenFile(port: number, env: Env): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(tokenFile(port, env), constants.O_RDONLY | constants.O_NOFOLLOW);
    const { uid, mode, size } = fstatSync(file);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (!isOurs || (mode & 0o077) !== 0 || size > maxBytes) return undefined;
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Removes the file, if it still holds this token. */
export function removeTokenFile(port: number, token: string, env: Env): void {
  if (readTokenFile(port, env) === token) rmSync(tokenFile(port, env), { force: true });
}
