import type { Logger } from "../lib/logger.ts";
import { closeInstances } from "./close-instance.ts";
import { DependencyGraph } from "./dependency-graph.ts";
import type { Resolve, ResourceBinding, ResourceKey, ResourceScope } from "./resource-binding.ts";
import { ResourceError } from "./resource-error.ts";

type Key = ResourceKey<unknown>;

/** Options of a {@link ResourcePool}. */
export interface PoolOptions {
  readonly bindings: ReadonlyMap<Key, ResourceBinding>;
  /** The instances of which scope it holds. */
  readonly scope: Exclude<ResourceScope, "fresh">;
  /** The pool of the singletons, for a pool that holds others. */
  readonly parent?: ResourcePool | undefined;
  readonly logger?: Logger | undefined;
}

/** Makes the instances of one scope, each once, and closes what it made. */
export class ResourcePool implements AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #instances = new Map<Key, Promise<unknown>>();
  readonly #ready = new Map<Key, unknown>();
  /** In the order in which they were made. Supplied instances are not among them. */
  readonly #made: { name: string; instance: unknown }[] = [];
  readonly #graph = new DependencyGraph();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The bindings, by key. */
  get bindings(): PoolOptions["bindings"] {
    return this.#options.bindings;
  }

  /** Makes what is to be made at once. */
  async start(): Promise<void> {
    for (const { key, eager } of this.#options.bindings.values()) if (eager) await this.get(key);
  }

  /** Gives the instance, which is made if need be. */
  get<T>(key: ResourceKey<T>): Promise<T> {
    return this.#resolve(key, undefined);
  }

  /** The instance, if it exists already. */
  peek<T>(key: ResourceKey<T>): T | undefined {
    return (this.#ready.get(key) ?? this.#options.parent?.peek(key)) as T | undefined;
  }

  /** The instances that this pool holds, by key. */
  get ready(): ReadonlyMap<Key, unknown> {
    return this.#ready;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    // What is being made just now would otherwise never be closed.
    await Promise.allSettled(this.#instances.values());
    this.#instances.clear();
    this.#ready.clear();
    await closeInstances(this.#made.splice(0), this.#options.logger);
  }

  async #resolve<T>(key: ResourceKey<T>, from: Key | undefined): Promise<T> {
    const binding = this.#options.bindings.get(key);
    if (binding === undefined) throw new ResourceError(`Nobody provides the resource "${key.name}": bind it`);
    const { scope, parent } = this.#options;
    if (binding.scope === "singleton" && scope !== "singleton" && parent !== undefined) return parent.get(key);
    if (binding.scope === "tool-call" && scope !== "tool-call")
      throw new ResourceError(`The resource "${key.name}" exists within calls of tools only`);
    if (this.#isClosed) throw new ResourceError(`The resource "${key.name}" was asked for after its time`);
    if (from !== undefined) this.#graph.begin(from, key);
    try {
      return (await this.#instance(binding)) as T;
    } finally {
      if (from !== undefined) this.#graph.end(from, key);
    }
  }

  #instance(binding: ResourceBinding): Promise<unknown> {
    const { key, scope } = binding;
    const known = this.#instances.get(key);
    if (known !== undefined && scope !== "fresh") return known;
    const instance = this.#make(binding);
    if (scope !== "fresh") {
      this.#instances.set(key, instance);
      // A failure is not kept: the next request may have more luck.
      instance.catch(() => this.#instances.delete(key));
    }
    return instance;
  }

  async #make({ key, scope, create, isSupplied }: ResourceBinding): Promise<unknown> {
    const get: Resolve = (other) => this.#resolve(other, key);
    const instance = await create(get);
    if (!isSupplied) this.#made.push({ name: key.name, instance });
    if (scope !== "fresh") this.#ready.set(key, instance);
    return instance;
  }
}
