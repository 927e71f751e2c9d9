import type { Transport } from "@quire/jsonrpc";
import { type Environment, resolveHome } from "../config/home.ts";
import { createLog, type Log } from "../lib/log.ts";
import type { AcceptedConnection, Acceptor } from "../listen/acceptor.ts";
import { ExecConnection } from "./exec-connection.ts";
import { Sessions } from "./session.ts";

/** Options of {@link createExecServer}. */
export interface ExecServerOptions {
  /** Variables of commands, as far as their policies let them through. Default: this process's. */
  readonly env?: Environment | undefined;
  readonly log?: Log | undefined;
  /** Requests of one client that are worked on at once. Default 1: in order. */
  readonly concurrentRequests?: number | undefined;
  /** Time in which a client that was cut off can come back. Default 80 seconds. */
  readonly awayMs?: number | undefined;
}

/** Runs processes and serves files of this machine for app-servers elsewhere. Ends all that it runs when it is closed. */
export interface ExecServer extends Acceptor, AsyncDisposable {
  close(): Promise<void>;
}

/** Makes an exec-server. It listens nowhere yet: see {@link listenExecServer}. */
export function createExecServer(options: ExecServerOptions = {}): ExecServer {
  const env = options.env ?? process.env;
  const sessions = new Sessions(options.awayMs);
  const connections = new Set<ExecConnection>();
  const services = {
    sessions,
    sandbox: { home: resolveHome(env), env },
    log: options.log ?? createLog({ env }),
    concurrentRequests: options.concurrentRequests ?? 1,
  };
  const close = async () => {
    await Promise.all([...connections].map((connection) => connection.close()));
    await sessions.close();
  };
  return {
    accept(transport: Transport): AcceptedConnection {
      const connection = new ExecConnection(transport, services);
      connections.add(connection);
      void connection.closed.then(() => connections.delete(connection));
      return connection;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
