import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of config, threads and logs: `$QUIRE_HOME`, else `$CODEX_HOME`, else `~/.quire`. Always absolute. */
export function resolveHome(env: Environment): string {
  const named = env.QUIRE_HOME || env.CODEX_HOME;
  if (!named) return join(env.HOME || homedir(), ".quire");
  return isAbsolute(named) ? named : resolve(named);
}

/** The default socket of a home's app-server. */
export function defaultSocketPath(home: string): string {
  return join(home, "app-server-control", "app-server-control.sock");
}
