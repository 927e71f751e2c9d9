import type { ServerNotifications, SessionSource } from "@quire/protocol";
import type { Log } from "../lib/log.ts";
import type { Client } from "./client.ts";
import type { Compat } from "./compat.ts";
import type { Services } from "./services.ts";

/** The threads of a server, as far as its end has to wait for them. */
export interface RunningThreads {
  readonly runningTurns: readonly Promise<void>[];
  /** True where messages wait until what they tell of is stored. */
  readonly holds: boolean;
  /**
   * A promise while something that was written to a thread, or to what the user keeps beside threads, is not stored for
   * good: nobody may hear of it before. Rejects when it never will be.
   */
  stored(threadId: string | undefined): Promise<void> | undefined;
  /** The other server that has a thread, if one does; `undefined` at once where servers share no database. */
  elsewhere(threadId: string): Promise<NodeAddress | undefined> | undefined;
  /** Sends a newly connected client its first notifications. */
  greet(client: Client): void;
  /** Ends all turns and threads, with everything they started. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A server of a shared database, as the others reach it. */
export interface NodeAddress {
  readonly id: string;
  /** Name that people are shown. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

/** The state that all parts of one server share. */
export interface ServerContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The administrator's file, if not the default. */
  readonly requirementsFile: string | undefined;
  readonly configOverrides: Readonly<Record<string, unknown>>;
  /** The provider where none is configured and nobody is logged in, if not the default. */
  readonly defaultProvider: string | undefined;
  /** The source recorded in new threads. */
  readonly sessionSource: SessionSource;
  readonly log: Log;
  /** The older Codex that it stands for, if any. */
  readonly compat: Compat | undefined;
  readonly connections: ReadonlySet<Client>;
  /** Services that belong to this server and end with it. */
  readonly services: Services<ServerContext>;
  /** Set by the first request that needs threads. */
  threads: RunningThreads | undefined;
  /** Called when a client has completed the handshake. */
  greeted(client: Client): void;
  /** Notifies every client that has completed the handshake. */
  broadcast<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /** Begins to serve the other servers of a database, at an address of this machine. */
  serveNodes(address: string): Promise<Pick<NodeAddress, "url" | "token">>;
  /** Registers work for when the server closes, after the threads. */
  onClose(work: () => void | Promise<void>): void;
}
