import { type CallArguments, ConnectionError, type NotificationMessage, type Transport } from "@quire/jsonrpc";
import type { ClientRequests, InitializeResponse, ServerNotifications, Thread } from "@quire/protocol";
import { connectionErrorFrom } from "../lib/connection-error.ts";
import { Emitter } from "../lib/emitter.ts";
import { type DeltaSink, deltaMethod } from "../link/delta-reader.ts";
import type { ClientState } from "../link/link-options.ts";
import { ServerLink } from "../link/server-link.ts";
import type { ClientWarning } from "../port/client-warning.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import { Telemetry } from "../port/telemetry.ts";
import {
  type ResumeOptions,
  type StartOptions,
  type ThreadDefaults,
  toResumeParams,
  toStartParams,
} from "../thread/start-params.ts";
import { ThreadHandle, type ThreadHost } from "../thread/thread-handle.ts";
import { ThreadRegistry } from "../thread/thread-registry.ts";
import type { ThreadState } from "../thread/thread-state.ts";
import type { Tool } from "../tools/tool.ts";
import { type ClientEvents, type EmitEvent, emitTranslated } from "./client-events.ts";
import { type CommonOptions, defaultRequestTimeoutMs, defaultTurnIdleTimeoutMs } from "./client-options.ts";
import type { Dialer } from "./dial.ts";
import { Keeper } from "./keeper.ts";
import { initializeParams, reconnectOptions } from "./link-settings.ts";
import { NotificationListeners } from "./notification-listeners.ts";
import { QuestionDesk } from "./question-desk.ts";

/**
 * The client's works: one link to a server, the threads followed on it, and the questions answered for it.
 * `CodexClient` adds the ways to reach a server and the calls by name.
 */
export class ClientCore extends Emitter<ClientEvents> implements ServerPort, AsyncDisposable {
  readonly #defaults: ThreadDefaults;
  readonly #link: ServerLink;
  readonly #registry = new ThreadRegistry();
  readonly #desk: QuestionDesk;
  readonly #listeners = new NotificationListeners();
  readonly #isHeard = (event: keyof ClientEvents): boolean => this.listenerCount(event) > 0;
  readonly #emitEvent: EmitEvent = (event, ...args) => void this.emit(event, ...args);
  #transport: Transport | undefined;
  readonly #keeper = new Keeper((on) => this.#transport?.keepAlive?.(on));
  /** Ends of holds for turns that were started and not awaited, by thread. */
  readonly #started = new Map<string, () => void>();
  #stopListening: (() => void) | undefined;
  #settleEnded!: (error: Error | undefined) => void;
  /** Resolves when the client has ended for good, with the error that ended it, if any. Never rejects. */
  readonly ended: Promise<Error | undefined> = new Promise((resolve) => {
    this.#settleEnded = resolve;
  });
  /** @internal What handles need of their client. */
  protected readonly host: ThreadHost;

  constructor(dialer: Dialer, options: CommonOptions, defaults: ThreadDefaults) {
    super();
    this.#defaults = defaults;
    const telemetry = new Telemetry(options.tracer);
    this.#desk = new QuestionDesk(this.#registry, options, (warning) => this.#warn(warning));
    this.#link = new ServerLink(
      {
        dial: async (signal) => {
          this.#transport = await dialer.dial(signal);
          this.#keeper.renew();
          return this.#transport;
        },
        initialize: initializeParams(options),
        reconnect: reconnectOptions(dialer, options.reconnect),
        requestTimeoutMs: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
        telemetry,
      },
      {
        notification: this.#notified,
        deltas: this.#deltas,
        request: (method, params, context) => this.#desk.answer(method, params, context),
        state: (state) => this.emit("state", state),
        restored: () => this.#restore(),
        lost: (error) =>
          this.#warn({ code: "reconnecting", message: `Connection lost: ${error.message}`, details: error }),
        ended: (error) => this.#end(error),
        malformed: (text) =>
          this.#warn({ code: "malformed", message: "A line that is no message was skipped", details: text }),
      },
    );
    const { logger } = options;
    if (logger) {
      this.on("warning", ({ message, details }) => logger.warn?.(message, details));
      this.on("state", (state) => logger.info?.(`The server is ${state}`));
      this.on("error", (error) => logger.error?.(error.message, error));
    }
    this.host = {
      port: this,
      telemetry,
      registry: this.#registry,
      turnTimeoutMs: options.turnTimeoutMs ?? 0,
      turnIdleTimeoutMs: options.turnIdleTimeoutMs ?? defaultTurnIdleTimeoutMs,
      stderr: () => (this.#transport as { stderr?: string } | undefined)?.stderr ?? "",
    };
  }

  /** Reaches the server and shakes hands. Called again it does nothing; a closed client stays closed. */
  connect(): Promise<void> {
    return this.#keeper.during(this.#link.connect());
  }

  /** Ends everything: pending calls and turns settle, the child or socket is gone when it resolves. Idempotent. */
  close(): Promise<void> {
    return this.#link.close();
  }

  /** The same as {@link close}. */
  disconnect(): Promise<void> {
    return this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The state of the client's connection. */
  get state(): ClientState {
    return this.#link.state;
  }

  /** The server's reply to `initialize`. */
  get server(): InitializeResponse | undefined {
    return this.#link.server;
  }

  /** The server's version, once connected. */
  get serverVersion(): string | undefined {
    return this.#link.serverVersion;
  }

  /** Calls any method of the server, typed. A server that is too busy is asked again within the call's time. */
  request<M extends keyof ClientRequests>(
    method: M,
    ...args: CallArguments<ClientRequests[M]["params"], CallOptions>
  ): Promise<ClientRequests[M]["result"]> {
    const call = this.#keeper.during(this.#link.request(method, args[0], args[1]));
    const isTurn = method === "turn/start";
    return (isTurn ? this.#holdTurn(call, args[0] as ClientRequests["turn/start"]["params"]) : call) as Promise<
      ClientRequests[M]["result"]
    >;
  }

  /** Calls a method that is not in the types: one of an older server, or of a newer one. */
  requestUntyped(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    return this.#keeper.during(this.#link.request(method, params, options));
  }

  /** Keeps the process, which otherwise ends with its last line, until the returned function is called. */
  hold(): () => void {
    return this.#keeper.hold();
  }

  /** Listens to one notification, typed; the returned function stops that. */
  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: (params: ServerNotifications[M]) => void,
  ): () => void {
    const remove = this.#listeners.add(method, listener as (params: never) => void);
    const release = this.hold();
    return () => {
      remove();
      release();
    };
  }

  /** Calls the listener when a lost connection is back and the threads have caught up; the returned function stops that. */
  onReconnected(listener: () => void): () => void {
    let lost = false;
    const onState = (state: ClientState) => {
      if (state === "ready" && lost) listener();
      lost = state === "reconnecting";
    };
    this.on("state", onState);
    return () => void this.off("state", onState);
  }

  /** Starts a thread. */
  async thread(options: StartOptions = {}, call?: CallOptions): Promise<ThreadHandle> {
    const params = await toStartParams(options, this.#defaults, this.serverVersion);
    const { thread } = await this.request("thread/start", params, call);
    return this.#follow(thread, options.tools);
  }

  /** Takes up a thread that was stored, or joins one that runs. */
  async resume(threadId: string, options: ResumeOptions = {}, call?: CallOptions): Promise<ThreadHandle> {
    const state = this.#registry.of(threadId);
    if (options.tools) state.tools = options.tools;
    const params = toResumeParams(threadId, options, this.serverVersion);
    const { thread } = await this.request("thread/resume", params, call);
    return this.#follow(thread);
  }

  /** A handle to a thread that this client started or resumed before, without a call. */
  handle(threadId: string): ThreadHandle {
    return new ThreadHandle(this.host, this.#registry.of(threadId));
  }

  /** Keeps the process until the turn has ended, which nobody may be waiting for. */
  async #holdTurn(call: Promise<unknown>, { threadId }: ClientRequests["turn/start"]["params"]): Promise<unknown> {
    this.#started.get(threadId)?.();
    this.#started.set(threadId, this.hold());
    try {
      return await call;
    } catch (error) {
      this.#turnEnded(threadId);
      throw error;
    }
  }

  #turnEnded(threadId: string): void {
    this.#started.get(threadId)?.();
    this.#started.delete(threadId);
  }

  /** Listeners of events keep the process; those of the connection itself do not. */
  protected override listenersChanged(): void {
    const listens = this.eventNames().some((event) => !ofConnection.has(event));
    if (listens) this.#stopListening ??= this.hold();
    else {
      this.#stopListening?.();
      this.#stopListening = undefined;
    }
  }

  /** Marks a thread as followed and gives a handle to it. */
  #follow(thread: Thread, tools?: readonly Tool[]): ThreadHandle {
    const state = this.#registry.of(thread.id);
    state.data = thread;
    state.live = true;
    if (tools) state.tools = tools;
    return new ThreadHandle(this.host, state);
  }

  // A function of its own, handed to the connection as it is: every notification comes in here.
  readonly #notified = (message: NotificationMessage): void => {
    if (this.hasListeners && this.listenerCount("notification") > 0) this.emit("notification", message);
    if (!this.#registry.postpone(message)) this.#deliver(message);
  };

  /** Pieces of an agent's message, where nobody wants to see how they came. */
  readonly #deltas: DeltaSink = {
    wants: (speaker) =>
      !(this.hasListeners && this.listenerCount("notification") > 0) && this.#registry.spokenIn(speaker) !== undefined,
    take: (speaker, deltas) => {
      const messages = () => deltas.map((delta) => ({ method: deltaMethod, params: { ...speaker, delta } }));
      const turn = this.#registry.spokenIn(speaker);
      if (!turn) {
        for (const message of messages()) this.#deliver(message);
        return;
      }
      turn.pushDeltas(speaker.itemId, deltas);
      if (this.hasListeners || !this.#listeners.isEmpty) for (const message of messages()) this.#publish(message);
    },
  };

  #deliver(incoming: NotificationMessage): void {
    const message = this.#registry.receive(incoming);
    if (!message) {
      if (this.#registry.awaitTurn(incoming, () => this.#deliver(incoming))) return;
      const text = `${incoming.method} is not shaped as it should be and was left out`;
      this.#warn({ code: "invalid-message", message: text, details: incoming });
      return;
    }
    if (message.method === "turn/completed")
      this.#turnEnded((message.params as ServerNotifications["turn/completed"]).threadId);
    if (message.method === "serverRequest/resolved" || message.method === "turn/completed")
      this.#desk.notified(message);
    this.#publish(message);
  }

  /** Delivers a notification to listeners of its method, and of the event that it becomes. */
  #publish(message: NotificationMessage): void {
    if (!this.#listeners.isEmpty)
      for (const listener of this.#listeners.of(message.method)) this.#notify(listener, message);
    if (this.hasListeners) emitTranslated(message, this.#isHeard, this.#emitEvent);
  }

  /** A listener that throws stops nothing; a warning reports it. */
  protected override onListenerError(error: unknown, event: keyof ClientEvents): void {
    if (event === "warning" || this.listenerCount("warning") === 0) super.onListenerError(error, event);
    else this.#warn({ code: "handler-failed", message: `A listener of ${event} failed`, details: error });
  }

  #notify(listener: (params: never) => void, message: NotificationMessage): void {
    try {
      listener(message.params as never);
    } catch (error) {
      this.#warn({ code: "handler-failed", message: `A listener of ${message.method} failed`, details: error });
    }
  }

  /** After a reconnect: subscribes to every followed thread again, and gives it what it missed. */
  async #restore(): Promise<void> {
    await Promise.all(this.#registry.live.map((state) => this.#restoreThread(state)));
  }

  /** If the connection is lost again meanwhile, the next catch-up delivers the rest. */
  async #restoreThread(state: ThreadState): Promise<void> {
    const finish = this.#registry.beginCatchUp(state.id);
    try {
      const { catchUp } = await import("../thread/catch-up.ts");
      await catchUp(state, {
        call: (method, params) => this.#link.requestNow(method, params),
        serverVersion: this.serverVersion,
        deliver: (message) => this.#deliver(message),
      });
    } catch (error) {
      finish();
      throw error;
    }
    for (const message of finish()) this.#deliver(message);
  }

  #end(error: Error | undefined): void {
    this.#keeper.stop();
    this.#registry.failAll(turnLost(error));
    if (error) this.emit("error", error);
    this.emit("close", error);
    this.#settleEnded(error);
  }

  #warn(warning: ClientWarning): void {
    this.emit("warning", warning);
  }
}

/** Events that come by themselves, and that no program waits for. */
const ofConnection: ReadonlySet<keyof ClientEvents> = new Set(["state", "warning", "error", "close"]);

/** The end of the connection, as a turn sees it. */
function turnLost(error: Error | undefined): Error {
  if (ConnectionError.is(error)) return connectionErrorFrom(error, true);
  return error ?? new ConnectionError("closed", "The client was closed during the turn", { mayHaveRun: true });
}
