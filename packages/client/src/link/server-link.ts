import { Connection, ConnectionError, type Transport } from "@quire/jsonrpc";
import type { ClientMethods, InitializeResponse, ServerMethods } from "@quire/protocol";
import { backoffMs, delay } from "../lib/backoff.ts";
import { connectionErrorFrom } from "../lib/connection-error.ts";
import { onAbort } from "../lib/on-abort.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import type { CallOptions } from "../port/server-port.ts";
import { DeltaReader } from "./delta-reader.ts";
import { handshake } from "./handshake.ts";
import type { ClientState, LinkEvents, LinkOptions } from "./link-options.ts";
import { explainMissingMethod } from "./missing-method.ts";
import { isRefusedForNow, retryOverloaded } from "./retry-overloaded.ts";

type Peer = Connection<ServerMethods, ClientMethods>;

/** The largest message and another behind it: no call fails because the one before it takes its time. */
export const maxUnsentBytes: number = 160 * 1024 * 1024;

/**
 * The way to one server: dials, shakes hands, carries calls, and comes back when the connection is lost.
 *
 * While it is not ready, calls wait for it within their own deadline. What was sent before a loss is rejected with
 * `mayHaveRun: true`: it is never sent twice.
 */
export class ServerLink {
  readonly #options: LinkOptions;
  readonly #events: LinkEvents;
  readonly #life = new AbortController();
  #connection: Peer | undefined;
  /** The latest connection, also after its end: closing waits until it is freed. */
  #last: Peer | undefined;
  #state: ClientState = "closed";
  #ready: Promise<void> = Promise.resolve();
  #started = false;
  #endReason: Error | undefined;
  #ended = false;
  server: InitializeResponse | undefined;
  serverVersion: string | undefined;

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
  }

  get state(): ClientState {
    return this.#state;
  }

  /** Dials and initializes for the first time. A failure here is final: reconnecting is for what once worked. */
  connect(): Promise<void> {
    if (this.#started) return this.#ready;
    if (this.#ended) return Promise.reject(this.#notConnected());
    this.#started = true;
    this.#setState("connecting");
    this.#ready = this.#open().then(
      () => this.#setState("ready"),
      (error: Error) => {
        this.#finish(error);
        throw error;
      },
    );
    return this.#ready;
  }

  /** Ends for good. Pending calls reject; idempotent. */
  async close(): Promise<void> {
    this.#finish(undefined);
    await this.#last?.close();
  }

  /** Calls the server, as soon as it is ready. */
  request(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const { telemetry } = this.#options;
    if (!telemetry.active) return this.#call(method, params, options);
    return telemetry.request(method, () => this.#call(method, params, options));
  }

  /** Calls at once, on a connection that is initialized but perhaps not yet declared ready; for {@link LinkEvents.restored}. */
  requestNow(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const limits = this.#withTimeout(options);
    return this.#send(method, params, limits).catch((error: unknown) =>
      this.#recover(error, { method, limits, send: (within) => this.#send(method, params, within) }),
    );
  }

  #call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    const limits = this.#withTimeout(options);
    return this.#sendWhenReady(method, params, limits).catch((error: unknown) =>
      this.#recover(error, { method, limits, send: (within) => this.#sendWhenReady(method, params, within) }),
    );
  }

  /** Asks again where a call was refused for now; says what else went wrong as well as it can be said. */
  async #recover(error: unknown, { method, limits, send }: Call): Promise<unknown> {
    if (!isRefusedForNow(error)) throw await explainMissingMethod(error, method, this.serverVersion);
    const attempt = (timeoutMs: number) => send({ ...limits, timeoutMs });
    return retryOverloaded(error, attempt, { ...limits, life: this.#life.signal });
  }

  #sendWhenReady(method: string, params: unknown, limits: Limits): Promise<unknown> {
    if (this.#state === "ready" && this.#connection) return this.#send(method, params, limits);
    if (!this.#started || this.#ended) return Promise.reject(this.#notConnected());
    return this.#wait(method, params, limits);
  }

  async #wait(method: string, params: unknown, limits: Limits): Promise<unknown> {
    const began = performance.now();
    try {
      await settledWithin(this.#ready, limits, `${method} was not sent: the server is ${this.#state}`);
    } catch (error) {
      // What ended the link may have run; this call, which was never sent, has not.
      throw this.#ended && !limits.signal?.aborted ? this.#notConnected() : error;
    }
    const left = limits.timeoutMs === 0 ? 0 : Math.max(1, limits.timeoutMs - (performance.now() - began));
    return this.#sendWhenReady(method, params, { ...limits, timeoutMs: left });
  }

  #send(method: string, params: unknown, limits: Limits): Promise<unknown> {
    const connection = this.#connection;
    if (!connection) return Promise.reject(this.#notConnected());
    return connection.request(method as "thread/read", params as never, limits);
  }

  #withTimeout(options: CallOptions): Limits {
    return { signal: options.signal, timeoutMs: options.timeoutMs ?? this.#options.requestTimeoutMs };
  }

  async #open(): Promise<void> {
    const transport = await this.#dial();
    const deltas = new DeltaReader(this.#events.deltas);
    const connection: Peer = new Connection(transport, {
      maxUnsentBytes,
      takeNotification: deltas.read,
      onNotification: this.#events.notification,
      onRequest: (params, context) => this.#events.request(context.method, params, context),
      onMalformed: (text) => this.#events.malformed(text),
      onClose: (error) => {
        deltas.flush();
        this.#connectionClosed(connection, error);
      },
    });
    this.#connection = connection;
    this.#last = connection;
    try {
      const { initialize, requestTimeoutMs } = this.#options;
      const { server, version } = await handshake(connection, initialize, requestTimeoutMs);
      this.server = server;
      this.serverVersion = version;
    } catch (error) {
      this.#connection = undefined;
      // A server that says nothing has nothing to finish: its time to exit would only add to that of the caller.
      if (ConnectionError.is(error) && error.code === "timeout") transport.kill?.();
      await connection.close();
      throw nothingRan(error);
    }
  }

  /** Closes a connection that arrives after the abort: a dialer may ignore the signal. */
  async #dial(): Promise<Transport> {
    const dialled = Promise.resolve(this.#options.dial(this.#life.signal));
    try {
      return await untilAborted(dialled, this.#life.signal);
    } catch (error) {
      dialled.then((transport) => transport.close()).catch(() => undefined);
      throw error;
    }
  }

  #connectionClosed(connection: Peer, error: ConnectionError | undefined): void {
    if (this.#connection !== connection || this.#ended) return;
    this.#connection = undefined;
    // During the handshake the opener handles the failure.
    if (this.#state === "connecting") return;
    const reason = error ?? new ConnectionError("closed", "The server closed the connection");
    if (!this.#options.reconnect) {
      this.#finish(reason);
    } else if (this.#state === "ready") {
      this.#setState("reconnecting");
      this.#events.lost(reason);
      this.#ready = this.#reconnect(reason);
      // Calls that wait for it see the failure; with no such call it must not count as unhandled.
      this.#ready.catch(() => undefined);
    }
  }

  async #reconnect(reason: Error): Promise<void> {
    const { attempts = 10, baseMs = 200, maxMs = 5000 } = this.#options.reconnect ?? {};
    let last: unknown = reason;
    for (let attempt = 0; attempt < attempts && !this.#ended; attempt++) {
      try {
        await delay(backoffMs(attempt, baseMs, maxMs), this.#life.signal);
        await this.#open();
        await this.#events.restored();
        if (!this.#connection) continue;
        this.#setState("ready");
        return;
      } catch (error) {
        last = error;
        await this.#connection?.close();
        this.#connection = undefined;
      }
    }
    const message = `The connection was lost (${reason.message}) and did not come back after ${attempts} tries`;
    const error = new ConnectionError("closed", message, { cause: last });
    this.#finish(error);
    throw this.#endReason ?? error;
  }

  #finish(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#endReason = error ?? new ConnectionError("closed", "The client was closed");
    this.#connection = undefined;
    this.#life.abort(this.#endReason);
    this.#setState("closed");
    this.#events.ended(error);
  }

  #setState(state: ClientState): void {
    if (this.#state === state || (this.#ended && state !== "closed")) return;
    this.#state = state;
    this.#events.state(state);
  }

  #notConnected(): Error {
    if (!this.#started)
      return new ConnectionError("not-initialized", "The client is not connected: call connect() first");
    const reason = this.#endReason;
    if (!ConnectionError.is(reason)) return reason ?? new ConnectionError("closed", "The connection is closed");
    return connectionErrorFrom(reason);
  }
}

/** The limits of one call. */
type Limits = CallOptions & { readonly timeoutMs: number };

/** A call that was made, and how to make it again. */
interface Call {
  readonly method: string;
  readonly limits: Limits;
  send(limits: Limits): Promise<unknown>;
}

/** Before the handshake is done nothing can have been carried out, whatever became of it. */
function nothingRan(error: unknown): unknown {
  return ConnectionError.is(error) ? connectionErrorFrom(error, false) : error;
}

/** Waits for the link within a call's own limits. */
async function settledWithin(ready: Promise<void>, { signal, timeoutMs }: Limits, late: string): Promise<void> {
  signal?.throwIfAborted();
  const undo: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      ready.then(resolve, reject);
      if (signal) undo.push(onAbort(signal, () => reject(signal.reason)));
      if (timeoutMs === 0) return;
      // A timer holds at most 2^31-1 ms and takes more, infinity too, for 1 ms.
      const expire = () => reject(new ConnectionError("timeout", late));
      const timer = setTimeout(expire, Math.min(timeoutMs, 2 ** 31 - 1));
      undo.push(() => clearTimeout(timer));
    });
  } finally {
    for (const each of undo) each();
  }
}
