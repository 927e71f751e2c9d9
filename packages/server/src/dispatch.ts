import { methodRow } from "@quire/protocol/methods";
import type { AnyHandler, RequestScope } from "./processor.ts";
import { methodNotFound } from "./rpc-errors.ts";
import { ScopeQueue } from "./scope-queue.ts";

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

  #run(handler: AnyHandler, checks: Checks, { method, params, scope }: Call): unknown {
    checks.checkParams(method, params, scope.connection.experimental);
    const given = params ?? {};
    const key = checks.orderKey(method, params);
    if (key === undefined) return handler(given, scope);
    return this.#queue.run(key, () => handler(given, scope), methodRow(method)?.scope?.until !== "started");
  }
}

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly scope: RequestScope;
}
