import { EncodedResult } from "@quire/jsonrpc";
import type { AnyHandler, RequestScope } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { ClientFault, ServerFault } from "../lib/faults.ts";
import { internalError, invalidRequest, methodNotFound } from "../lib/rpc-errors.ts";
import { ScopeQueue } from "./scope-queue.ts";

/** Loaded with the first request, like the table of methods: `initialize` needs neither. */
type Checks = typeof import("./param-checks.ts");
type Defaults = typeof import("@quire/protocol/defaults");

/** Time for the requests that follow `initialize` at once: they are not to wait for what is loaded ahead. */
const aheadMs = 10;

/** Finds the handler of a request, checks params and keeps the protocol's order over all connections. */
export class Dispatch {
  readonly #queue = new ScopeQueue();
  readonly #handlers = new Map<string, AnyHandler>();
  #checks: Checks | undefined;
  #defaults: Defaults | undefined;
  /** False once it is known that threads are this server's own. */
  mayShare = true;
  /** Settles when what threads in a database need is loaded, where they are in one. */
  #shared: Promise<void> | undefined;

  /** Returns the result synchronously when nothing has to be loaded or awaited. */
  handle(method: string, params: unknown, scope: RequestScope): unknown {
    const handler = this.#handlers.get(method);
    if (handler !== undefined && this.#checks !== undefined)
      return this.#run(handler, this.#checks, { method, params, scope });
    return this.#load(method, params, scope);
  }

  /** Params of a notification or a request to a client, with the fields that Codex always sends. */
  fullParams<T>(method: string, params: T): T {
    return (this.#defaults?.fullParams(method, params) ?? params) as T;
  }

  /** Loads what the first turn needs while the client thinks; what fails here fails again where it is asked for. */
  loadAhead(): void {
    const load = () => this.#prepare("thread/start").then(() => this.#prepare("turn/start"));
    if (!this.#handlers.has("thread/start")) setTimeout(() => void load().catch(() => undefined), aheadMs).unref();
  }

  async #load(method: string, params: unknown, scope: RequestScope): Promise<unknown> {
    this.#shared ??= loadShared(scope.server).then((mayShare) => {
      this.mayShare = mayShare;
    });
    const [checks] = await Promise.all([import("./param-checks.ts"), this.#prepare(method), this.#shared]);
    const handler = this.#handlers.get(method);
    if (handler === undefined) {
      if (!scope.connection.experimental) (await import("./param-checks.ts")).checkStable(method, params);
      throw methodNotFound(method);
    }
    return this.#run(handler, checks, { method, params, scope });
  }

  async #prepare(method: string): Promise<void> {
    const { loadHandlers } = await import("../processors/index.ts");
    const [handlers, checks, defaults] = await Promise.all([
      loadHandlers(method),
      import("./param-checks.ts"),
      import("@quire/protocol/defaults"),
    ]);
    this.#checks = checks;
    this.#defaults = defaults;
    for (const [name, handler] of handlers) this.#handlers.set(name, handler);
  }

  #full(method: string, result: unknown): unknown {
    // One that is encoded has them.
    return result instanceof EncodedResult ? result : (this.#defaults?.fullResult(method, result) ?? result);
  }

  #run(handler: AnyHandler, checks: Checks, { method, params: given, scope }: Call): unknown {
    const params = checks.modernParams(given);
    checks.checkParams(method, params, scope.connection.experimental);
    const key = checks.orderKey(method, params);
    const work = () => answered(handler, params ?? {}, scope);
    const result = key === undefined ? work() : this.#queue.run(key, work, checks.holdsQueue(method));
    return result instanceof Promise ? result.then((value) => this.#full(method, value)) : this.#full(method, result);
  }
}

/** Loads what threads in a database need, if they may be in one. */
async function loadShared(server: ServerContext): Promise<boolean> {
  const { mayNameStore } = await import("../config/store-place.ts");
  const mayShare = mayNameStore(server);
  if (mayShare) await (await import("../features/shared-parts.ts")).loadSharedParts();
  return mayShare;
}

/** Runs a handler, and turns errors for the client into RPC errors. */
function answered(handler: AnyHandler, params: unknown, scope: RequestScope): unknown {
  try {
    const result = handler(params, scope);
    return result instanceof Promise ? result.catch(toRpcError) : result;
  } catch (error) {
    return toRpcError(error);
  }
}

function toRpcError(error: unknown): never {
  if (error instanceof ClientFault) throw invalidRequest(error.message);
  throw error instanceof ServerFault ? internalError(error.message) : error;
}

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly scope: RequestScope;
}
