import type { ServerNotifications, SessionSource } from "@quire/protocol";
import type { ClientConnection } from "./connection.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Log } from "./log.ts";
import type { Core } from "./thread/core.ts";

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
  readonly dispatch: Dispatch;
  /** Open connections. */
  readonly connections: ReadonlySet<ClientConnection>;
  /** Threads and all they need; made by the first request that needs it. */
  core: Core | undefined;
  /** Tells every client that has shaken hands. */
  broadcast<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
}
