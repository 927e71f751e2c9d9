import { RpcError } from "@quire/jsonrpc";
import { invalidRequest } from "../lib/rpc-errors.ts";
import type { ProcessNotifications } from "../run/environments/exec-wire.ts";
import { killOwned } from "../run/process/process-table.ts";
import { FileHandles } from "./file-handles.ts";
import type { ProcessListener, ServedProcess } from "./served-process.ts";

/** Time in which a client that was cut off can come back to what it started. */
const awayMs = 80_000;

/** Sessions whose clients are away; beyond it the one that waits longest ends. */
const maxAway = 64;

/** Processes of a session at once; one more is refused. */
const maxRunning = 256;

/** Ended processes whose output is kept. */
const keptEnded = 64;

/** JSON-RPC code for a session that another connection has. */
const attachedElsewhere = -32_010;

/** The connection of a session's client. */
export interface SessionClient {
  notify<M extends keyof ProcessNotifications>(method: M, params: ProcessNotifications[M]): void;
  drained(): Promise<void> | undefined;
}

let sessions = 0;

/** The processes and open files of one client, also while it is away. */
export class Session implements ProcessListener {
  readonly id: string = crypto.randomUUID();
  /** Owns the processes in the table of this server's processes. */
  readonly owner: string = `exec-session-${++sessions}`;
  readonly files: FileHandles = new FileHandles();
  readonly #processes = new Map<string, ServedProcess>();
  client: SessionClient | undefined;
  /** Bodies of HTTP responses on their way to the client. */
  streams = 0;

  readonly notify: ProcessListener["notify"] = (method, params) => this.client?.notify(method, params);

  drained(): Promise<void> | undefined {
    return this.client?.drained();
  }

  get(processId: string): ServedProcess | undefined {
    return this.#processes.get(processId);
  }

  /** Keeps a process until the session ends, or others have ended after it. */
  add(processId: string, start: () => ServedProcess): void {
    if (this.#processes.has(processId)) throw invalidRequest(`process ${processId} already exists`);
    const all = [...this.#processes.values()];
    const ended = all.filter(({ closed }) => closed);
    if (all.length - ended.length >= maxRunning)
      throw invalidRequest(`${maxRunning} processes are running already: end some of them before starting more`);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - keptEnded))) this.#processes.delete(id);
    this.#processes.set(processId, start());
  }

  async close(): Promise<void> {
    this.client = undefined;
    await Promise.all([killOwned(this.owner), this.files.close()]);
  }
}

/** All sessions. A client that is away too long loses its own. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #away = new Map<Session, ReturnType<typeof setTimeout>>();
  readonly #awayMs: number;

  constructor(away: number = awayMs) {
    this.#awayMs = away;
  }

  /** A new session, or the one that a client comes back to. Throws errors for the client. */
  attach(client: SessionClient, resumed: string | undefined): Session {
    const session = resumed === undefined ? new Session() : this.#sessions.get(resumed);
    if (!session) throw invalidRequest(`unknown session id ${resumed}`);
    if (session.client)
      throw new RpcError({
        code: attachedElsewhere,
        message: `session ${session.id} is already attached to another connection`,
      });
    clearTimeout(this.#away.get(session));
    this.#away.delete(session);
    session.client = client;
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Its client is gone, and may come back. */
  detach(session: Session): void {
    session.client = undefined;
    const [oldest] = this.#away.size < maxAway ? [] : this.#away.keys();
    if (oldest) void this.#end(oldest);
    const timer = setTimeout(() => void this.#end(session), this.#awayMs);
    timer.unref?.();
    this.#away.set(session, timer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  async #end(session: Session): Promise<void> {
    clearTimeout(this.#away.get(session));
    this.#away.delete(session);
    this.#sessions.delete(session.id);
    await session.close();
  }
}
