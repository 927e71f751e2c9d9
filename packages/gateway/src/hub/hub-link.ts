import { backoffCeilingMs, delay, handshake, maxUnsentBytes } from "@quire/client/link";
import {
  Connection,
  ConnectionError,
  type NotificationMessage,
  type RequestContext,
  RpcError,
  type Transport,
} from "@quire/jsonrpc";
import { type InitializeParams, type InitializeResponse, quireVersion } from "@quire/protocol";
import type { HubInfo, HubState } from "@quire/protocol/gateway";
import type { HubOptions } from "./hub-options.ts";
import { remedyFor } from "./remedy.ts";

/** Events of a link, for its hub. */
export interface HubLinkEvents {
  notification(message: NotificationMessage): void;
  request(params: unknown, context: RequestContext): Promise<unknown>;
  /** Threads to subscribe to when the connection is back. */
  openThreads(): readonly string[];
  threadLost(threadId: string): void;
  lost(): void;
  changed(): void;
}

const introduction: InitializeParams = {
  clientInfo: { name: "quire", title: "Quire", version: quireVersion },
  capabilities: { experimentalApi: true, requiredHumanApproval: true },
};
const defaultHandshakeMs = 30_000;
/** Characters of what a server may answer to `initialize`. */
const maxIntroduction = 16 * 1024;

/**
 * A hub's connection: dials, initializes, and reconnects when it is lost. All of it is one loop, so there is
 * never more than one connection.
 */
export class HubLink {
  readonly #options: HubOptions;
  readonly #events: HubLinkEvents;
  #connection: Connection | undefined;
  #initialized: InitializeResponse | undefined;
  #state: HubState = "connecting";
  #attempt = 0;
  #error: string | null = null;
  #version: string | null = null;
  #epoch = 0;
  #life: Promise<void> | undefined;
  readonly #ended = new AbortController();
  /** Ends the wait before the next try. */
  #hurry = new AbortController();

  constructor(options: HubOptions, events: HubLinkEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** The connection, while it is ready for requests of pages. */
  get connection(): Connection | undefined {
    return this.#state === "ready" ? this.#connection : undefined;
  }

  /** The reply to `initialize`. */
  get initialized(): InitializeResponse | undefined {
    return this.#initialized;
  }

  get info(): HubInfo {
    const { id, kind, name, address } = this.#options;
    return {
      id,
      kind,
      name: kind === "spawned" && this.#version !== null ? `${name} ${this.#version}` : name,
      address,
      state: this.#state,
      attempt: this.#attempt,
      error: this.#error,
      userAgent: this.#initialized?.userAgent || null,
      version: this.#version,
      epoch: this.#epoch,
    };
  }

  /** Connects; while it waits for its next try, or has given up, it tries now. */
  start(): void {
    this.#hurry.abort();
    if (this.#ended.signal.aborted || this.#life) return;
    this.#life = this.#live().finally(() => {
      this.#life = undefined;
    });
  }

  /** Closes for good. Resolves when connection and server process are gone. */
  async close(): Promise<void> {
    this.#ended.abort(new ConnectionError("closed", "The gateway has let go of this server"));
    this.#hurry.abort();
    await this.#connection?.close();
    await this.#life;
  }

  async #live(): Promise<void> {
    const { attempts = 10, baseMs = 1000, maxMs = 30_000 } = this.#options.reconnect ?? { attempts: 0 };
    let failures = 0;
    let lastWait = 0;
    this.#become(this.#epoch === 0 ? "connecting" : "reconnecting");
    while (!this.#ended.signal.aborted) {
      const { error, upMs } = await this.#once();
      if (this.#ended.signal.aborted) break;
      // A server that fails again right away does not get its tries back.
      if (upMs !== undefined && upMs >= lastWait) failures = 0;
      this.#error = remedyFor(error, this.#options);
      if (failures >= attempts) {
        this.#become("disconnected");
        return;
      }
      this.#become("reconnecting", failures + 1);
      this.#hurry = new AbortController();
      lastWait = backoffCeilingMs(failures++, baseMs, maxMs);
      await delay(lastWait, this.#hurry.signal).catch(() => undefined);
    }
    this.#become("disconnected");
  }

  /** Runs one connection from its beginning to its end. Never rejects. */
  async #once(): Promise<{ readonly error: unknown; readonly upMs: number | undefined }> {
    let readyAt: number | undefined;
    let error: unknown;
    try {
      const connection = await this.#open();
      readyAt = performance.now();
      this.#error = null;
      this.#epoch++;
      this.#become("ready");
      error = (await connection.closed) ?? new ConnectionError("closed", "The server closed the connection");
    } catch (thrown) {
      error = thrown;
    }
    await this.#connection?.close();
    this.#connection = undefined;
    this.#events.lost();
    return { error, upMs: readyAt === undefined ? undefined : performance.now() - readyAt };
  }

  async #open(): Promise<Connection> {
    const connection = new Connection(await this.#dial(), {
      maxUnsentBytes,
      onNotification: (message) => this.#events.notification(message),
      onRequest: (params, context) => this.#events.request(params, context),
    });
    this.#connection = connection;
    this.#ended.signal.throwIfAborted();
    const timeoutMs = this.#options.handshakeMs ?? defaultHandshakeMs;
    const { server, version } = await handshake(connection, introduction, timeoutMs);
    await this.#restore(connection, timeoutMs);
    this.#initialized = bounded(server);
    this.#version = version ?? null;
    return connection;
  }

  /** Dials. A `dial` that ignores the signal may return too late: its transport is closed. */
  async #dial(): Promise<Transport> {
    const transport = await this.#options.dial(this.#ended.signal);
    if (!this.#ended.signal.aborted) return transport;
    await transport.close();
    throw this.#ended.signal.reason;
  }

  /**
   * Subscribes again to what pages have open: first what the server still has loaded, for a turn may be running there.
   */
  async #restore(connection: Connection, timeoutMs: number): Promise<void> {
    const open = this.#events.openThreads();
    if (open.length === 0) return;
    const loaded = await loadedThreads(connection, timeoutMs);
    const inOrder = [...open.filter((id) => loaded.has(id)), ...open.filter((id) => !loaded.has(id))];
    await Promise.all(
      inOrder.map(async (threadId) => {
        try {
          await connection.request("thread/resume", { threadId, excludeTurns: true }, { timeoutMs });
        } catch (error) {
          if (!RpcError.is(error)) throw error;
          this.#events.threadLost(threadId);
        }
      }),
    );
  }

  #become(state: HubState, attempt = 0): void {
    this.#state = state;
    this.#attempt = attempt;
    this.#events.changed();
  }
}

/** A server's introduction goes to every page, again and again: one that is too large to be one is refused. */
function bounded(initialized: InitializeResponse | null): InitializeResponse {
  const text = JSON.stringify(initialized ?? {});
  if (text.length > maxIntroduction)
    throw new ConnectionError("closed", `The server introduced itself with ${text.length} characters`);
  return { ...initialized, userAgent: String(initialized?.userAgent ?? "") } as InitializeResponse;
}

/** Ids of the threads that the server has in memory; none for a server too old to list them. */
async function loadedThreads(connection: Connection, timeoutMs: number): Promise<ReadonlySet<string>> {
  try {
    const { data } = (await connection.request("thread/loaded/list", {}, { timeoutMs })) as { data?: unknown };
    return new Set(Array.isArray(data) ? data.map(String) : []);
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    return new Set();
  }
}
