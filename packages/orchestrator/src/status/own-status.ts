import type { OrchestratorControl } from "../events/control.ts";
import { removeTokenFile, tokenFile, tokenVariable, writeTokenFile } from "../lib/token-file.ts";
import { type StatusServer, serveStatus } from "./status-server.ts";

/** Options of a status server for the programs of one user. */
export interface OwnStatusOptions {
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The secret of webhooks now; null where there are to be none. */
  readonly webhookSecret?: (() => string | null) | undefined;
}

/** A running status server whose token lies in a file for its owner. */
export interface OwnStatusServer extends StatusServer {
  readonly tokenFile: string;
}

/** Serves the status with a token that is new with each start, and leaves it in a file that only its owner can read. */
export function serveOwnStatus(
  control: OrchestratorControl,
  { port, env, webhookSecret }: OwnStatusOptions,
): OwnStatusServer {
  const server = serveStatus(control, { port, token: env[tokenVariable] || undefined, webhookSecret });
  const path = tokenFile(server.port, env);
  const stop = async () => {
    removeTokenFile(server.port, server.token, env);
    await server.stop();
  };
  try {
    writeTokenFile(path, server.token);
  } catch (error) {
    void server.stop();
    throw new Error(`${path} cannot be written (${(error as Error).message}): set QUIRE_HOME to a writable folder`, {
      cause: error,
    });
  }
  return { ...server, tokenFile: path, stop, [Symbol.asyncDispose]: stop };
}
