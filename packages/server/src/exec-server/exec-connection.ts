import {
  Connection,
  ConnectionError,
  highWaterMark,
  type RequestContext,
  RpcError,
  type Transport,
} from "@quire/jsonrpc";
import { maxNesting } from "../lib/bounded-json.ts";
import type { Log } from "../lib/log.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import type { ExecInitializeReply, ProcessNotifications } from "../run/environments/exec-wire.ts";
import { Semaphore } from "../run/helpers/semaphore.ts";
import type { SandboxOptions } from "../run/sandbox/sandbox-options.ts";
import { environmentInfo } from "./environment-info.ts";
import { fileMethods } from "./file-methods.ts";
import { httpMethods } from "./http-request.ts";
import type { Methods } from "./methods.ts";
import { fieldsOf, textField } from "./params.ts";
import { processMethods } from "./process-methods.ts";
import type { Session, SessionClient, Sessions } from "./session.ts";

/** Unsent bytes kept for a client that does not read; beyond this it is cut off, and can come back. */
const maxUnsentBytes = 64 * 1024 * 1024;

const environmentMethods: Methods = {
  "environment/info": () => environmentInfo(),
  "environment/status": () => ({ status: "ready" }),
};

/** Methods by the words of errors about the handshake. */
const families: readonly (readonly [words: string, methods: Methods])[] = [
  ["exec", processMethods],
  ["filesystem", fileMethods],
  ["http", httpMethods],
  ["environment info", environmentMethods],
];

/** Requests that take as long as something else does; no other waits for them. */
const waiting: ReadonlySet<string> = new Set(["process/read", "http/request"]);

/** The parts of an exec-server that its connections share. */
export interface ExecServices {
  readonly sessions: Sessions;
  readonly sandbox: SandboxOptions;
  readonly log: Log;
  /** Requests of one client that are worked on at once. */
  readonly concurrentRequests: number;
}

/** A client's connection: the handshake and the requests of one session. Ends with its transport. */
export class ExecConnection implements SessionClient {
  readonly #rpc: Connection;
  readonly #services: ExecServices;
  readonly #slots: Semaphore;
  #session: Session | undefined;
  #isReady = false;
  readonly #ended = new AbortController();

  constructor(transport: Transport, services: ExecServices) {
    this.#services = services;
    this.#slots = new Semaphore(services.concurrentRequests);
    const { log } = services;
    this.#rpc = new Connection(transport, {
      maxNesting,
      maxUnsentBytes,
      onRequest: (params, request) => this.#serve(params, request),
      onNotification: ({ method }) => this.#notified(method),
      onMalformed: (_, error) => this.#cutOff(error.message),
      onHandlerError: (error, method) => log.error(`${method} failed`, error),
      onClose: () => {
        this.#ended.abort();
        if (this.#session) services.sessions.detach(this.#session);
      },
    });
  }

  get closed(): Promise<ConnectionError | undefined> {
    return this.#rpc.closed;
  }

  idle(): Promise<void> {
    return this.#rpc.idle();
  }

  close(): Promise<void> {
    return this.#rpc.close();
  }

  notify<M extends keyof ProcessNotifications>(method: M, params: ProcessNotifications[M]): void {
    if (!this.#rpc.open) return;
    try {
      this.#rpc.notifyMessage({ method, params });
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      this.#cutOff(error.message);
    }
  }

  drained(): Promise<void> | undefined {
    return this.#rpc.unsent > highWaterMark ? this.#rpc.drain() : undefined;
  }

  #notified(method: string): void {
    if (method !== "initialized") this.#cutOff(`unexpected notification ${JSON.stringify(method.slice(0, 100))}`);
    else if (!this.#session) this.#cutOff("initialized came before initialize");
    else this.#isReady = true;
  }

  /** A client that does not keep to the protocol. What it has started waits for it, as after any lost connection. */
  #cutOff(why: string): void {
    this.#services.log.warn(`a client was disconnected: ${why}`);
    void this.#rpc.close();
  }

  async #serve(params: unknown, request: RequestContext): Promise<unknown> {
    const { method } = request;
    if (method === "initialize") return this.#initialize(params);
    const [words, methods] = families.find(([, each]) => Object.hasOwn(each, method)) ?? [];
    const serve = methods?.[method];
    if (!serve) throw new RpcError({ code: -32_601, message: `this exec-server does not implement \`${method}\`` });
    const session = this.#session;
    if (!session) throw invalidRequest(`client must call initialize before using ${words} methods`);
    if (!this.#isReady) throw invalidRequest(`client must send initialized before using ${words} methods`);
    const { sandbox, log } = this.#services;
    const { id, signal } = request;
    const call = { id, method, signal, ended: this.#ended.signal, session, sandbox, log, notify: this.#notifyInTime };
    if (waiting.has(method)) return await serve(fieldsOf(params), call);
    using _ = await this.#slots.enter();
    request.signal.throwIfAborted();
    return await serve(fieldsOf(params), call);
  }

  readonly #notifyInTime = async (method: string, params: object): Promise<void> => {
    this.#rpc.notifyMessage({ method, params });
    await this.drained();
  };

  #initialize(params: unknown): ExecInitializeReply {
    if (this.#session) throw invalidRequest("initialize may only be sent once per connection");
    const fields = fieldsOf(params);
    textField(fields, "clientName");
    const resumed = (fields.resumeSessionId ?? null) === null ? undefined : textField(fields, "resumeSessionId");
    this.#session = this.#services.sessions.attach(this, resumed);
    return { sessionId: this.#session.id, environmentInfo: environmentInfo() };
  }
}
