import type { AnyHandler, RequestScope } from "./processor.ts";
import { internalError, invalidRequest, methodNotFound } from "./rpc-errors.ts";
import { ScopeQueue } from "./scope-queue.ts";

/** Loaded with the first request, as is the table of methods: the reply to `initialize` needs neither. */
type Checks = typeof import("./param-checks.ts");

/**
 * Finds the handler of a request, checks the params and keeps the order that the protocol asks for. Shared by all
 * connections: two clients of one thread wait for each other.
 */
export class Dispatch {
  readonly #queue = new ScopeQueue();
  readonly #handlers = new Map<string, AnyHandler>();
  #checks: Checks | undefined;

  /** Gives the result, at once where nothing has to be loaded or waited for. */
  handle(method: string, params: unknown, scope: RequestScope): unknown {
    const handler = this.#handlers.get(method);
    if (handler !== undefined && this.#checks !== undefined)
      return this.#run(handler, this.#checks, { method, params, scope });
    return this.#load(method, params, scope);
  }

  async #load(method: string, params: unknown, scope: RequestScope): Promise<unknown> {
    const { loadHandlers } = await import("./processors/index.ts");
    const [handlers, checks] = await Promise.all([loadHandlers(method), import("./param-checks.ts")]);
    this.#checks = checks;
    for (const [name, handler] of handlers) this.#handlers.set(name, handler);
    const handler = this.#handlers.get(method);
    if (handler === undefined) {
      if (!scope.connection.experimental) checks.checkStable(method, params);
      throw methodNotFound(method);
    }
    return this.#run(handler, checks, { method, params, scope });
  }

  #run(handler: AnyHandler, checks: Checks, { method, params: given, scope }: Call): unknown {
    const params = checks.inTodaysSpelling(given);
    checks.checkParams(method, params, scope.connection.experimental);
    const key = checks.orderKey(method, params);
    const work = () => answered(handler, params ?? {}, scope);
    return key === undefined ? work() : this.#queue.run(key, work, checks.holdsQueue(method));
  }
}

/** Errors whose words are for the client: it can do something about them. By name, so that nothing is loaded for it. */
const forTheClient: ReadonlySet<unknown> = new Set(["ConfigError", "ThreadInUse", "ThreadGone", "SandboxUnavailable"]);

/** Those of the server itself, of which the client should hear too: the words say what a user can do. */
const ofTheServer = "StoreError";

/** What a handler gives. What it throws that the client can mend is told in its own words. */
function answered(handler: AnyHandler, params: unknown, scope: RequestScope): unknown {
  try {
    const result = handler(params, scope);
    return result instanceof Promise ? result.catch(told) : result;
  } catch (error) {
    return told(error);
  }
}

function told(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  if (forTheClient.has(error.name)) throw invalidRequest(error.message);
  throw error.name === ofTheServer ? internalError(error.message) : error;
}

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly scope: RequestScope;
}
