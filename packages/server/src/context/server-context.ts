import type { ServerNotifications, SessionSource } from "@quire/protocol";
import type { Log } from "../lib/log.ts";
import type { Client } from "./client.ts";
import type { Services } from "./services.ts";

/** The threads of a server, as far as its end has to wait for them. */
export interface RunningThreads {
  /** The turns that run; each settles with its turn. */
  readonly runningTurns: readonly Promise<void>[];
  /** Tells a client that has just shaken hands what it should know. */
  greet(client: Client): void;
  /** Ends every turn and thread, and what they started. */
  stop(): Promise<void>;
  /** Closes what threads are stored in. */
  close(): Promise<void>;
}

/** What all parts of one server share. */
export interface ServerContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The administrator's file, where it is another than usual. */
  readonly requirementsFile: string | undefined;
  readonly configOverrides: Readonly<Record<string, unknown>>;
  /** What new threads name as their source. */
  readonly sessionSource: SessionSource;
  readonly log: Log;
  /** Open connections. */
  readonly connections: ReadonlySet<Client>;
  /** What belongs to this server and ends with it. */
  readonly services: Services<ServerContext>;
  /** Set by the first request that needs threads. */
  threads: RunningThreads | undefined;
  /** A client has shaken hands. */
  greeted(client: Client): void;
  /** Tells every client that has shaken hands. */
  broadcast<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /** Has something end with the server, after the threads. */
  onClose(work: () => void | Promise<void>): void;
}
