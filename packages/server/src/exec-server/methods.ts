import type { RequestContext } from "@quire/jsonrpc";
import type { Log } from "../lib/log.ts";
import type { SandboxOptions } from "../run/sandbox/sandbox-options.ts";
import type { Fields } from "./params.ts";
import type { Session } from "./session.ts";

/** The request and the surroundings of a method, besides its params. */
export interface Call extends RequestContext {
  readonly session: Session;
  /** The exec-server's home and variables. */
  readonly sandbox: SandboxOptions;
  readonly log: Log;
  /** Aborted when the connection has ended, also after the reply. */
  readonly ended: AbortSignal;
  /** Tells the client of this call, and waits where it reads slowly. Rejects when it is gone. */
  notify(method: string, params: object): Promise<void>;
}

/** A method of exec-servers. */
export type Method = (fields: Fields, call: Call) => unknown;

/** Methods by name. */
export type Methods = Readonly<Record<string, Method>>;
