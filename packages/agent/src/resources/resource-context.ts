import type { Logger } from "../lib/logger.ts";
import type { ResourceBinding, ResourceKey } from "./resource-binding.ts";
import { ResourceError } from "./resource-error.ts";
import { ResourcePool } from "./resource-pool.ts";

/** Resources as a tool sees them. */
export interface Resources {
  /** Gives a resource, which is made if need be. */
  get<T>(key: ResourceKey<T>): Promise<T>;
  /** The resource, if it exists already. */
  peek<T>(key: ResourceKey<T>): T | undefined;
}

/** Resources of one call of a tool. The caller disposes of it. */
export interface CallResources extends Resources, AsyncDisposable {}

/**
 * The resources of a prompt. They exist between `enter()` and the end of the last lease, so a program may enter before it
 * evaluates, and its resources live on after the evaluation; else they live as long as the evaluation.
 */
export class ResourceContext implements Resources {
  readonly #bindings: () => readonly ResourceBinding[];
  readonly #logger: Logger | undefined;
  #pool: Promise<ResourcePool> | undefined;
  #started: ResourcePool | undefined;
  #leases = 0;

  /** @param bindings Read with each entering; a later binding of a key takes the place of an earlier one. */
  constructor(bindings: () => readonly ResourceBinding[], logger?: Logger) {
    this.#bindings = bindings;
    this.#logger = logger;
  }

  /** True when somebody has entered. */
  get isActive(): boolean {
    return this.#leases > 0;
  }

  /** Opens the resources, unless they are open. Disposing of the last lease closes them. */
  async enter(): Promise<AsyncDisposable> {
    this.#leases += 1;
    this.#pool ??= this.#open();
    let isLeft = false;
    const leave = async () => {
      if (isLeft) return;
      isLeft = true;
      await this.#leave();
    };
    try {
      await this.#pool;
    } catch (error) {
      await leave();
      throw error;
    }
    return { [Symbol.asyncDispose]: leave };
  }

  async get<T>(key: ResourceKey<T>): Promise<T> {
    if (this.#pool !== undefined) return (await this.#pool).get(key);
    const supplied = this.#supplied(key);
    if (supplied === undefined)
      throw new ResourceError(`The resource "${key.name}" can be had within prompt.resources.enter() only`);
    return supplied.create(() => Promise.reject(new ResourceError("not here"))) as T;
  }

  peek<T>(key: ResourceKey<T>): T | undefined {
    if (this.#started !== undefined) return this.#started.peek(key);
    return this.#supplied(key)?.create(() => Promise.reject(new ResourceError("not here"))) as T | undefined;
  }

  /** Resources for one call of a tool. Its own are closed when it is disposed of. */
  forCall(): CallResources {
    if (this.#started === undefined)
      throw new ResourceError("Tools can be called within prompt.resources.enter() only");
    return new ResourcePool({
      bindings: this.#started.bindings,
      scope: "tool-call",
      parent: this.#started,
      logger: this.#logger,
    });
  }

  /** The singletons that exist by now. */
  get singletons(): ReadonlyMap<ResourceKey<unknown>, unknown> {
    return this.#started?.ready ?? new Map();
  }

  async #open(): Promise<ResourcePool> {
    const pool = new ResourcePool({ bindings: byKey(this.#bindings()), scope: "singleton", logger: this.#logger });
    try {
      await pool.start();
    } catch (error) {
      await pool[Symbol.asyncDispose]();
      throw error;
    }
    this.#started = pool;
    return pool;
  }

  async #leave(): Promise<void> {
    this.#leases -= 1;
    if (this.#leases > 0) return;
    const pool = this.#started;
    this.#pool = undefined;
    this.#started = undefined;
    await pool?.[Symbol.asyncDispose]();
  }

  #supplied(key: ResourceKey<unknown>): ResourceBinding | undefined {
    const binding = byKey(this.#bindings()).get(key);
    return binding?.isSupplied ? binding : undefined;
  }
}

function byKey(bindings: readonly ResourceBinding[]): ReadonlyMap<ResourceKey<unknown>, ResourceBinding> {
  return new Map(bindings.map((binding) => [binding.key, binding]));
}
