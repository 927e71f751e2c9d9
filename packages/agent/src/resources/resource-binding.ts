/** Names a resource and its type. */
export interface ResourceKey<T> {
  readonly name: string;
  /** Exists in types only. */
  readonly "~type"?: T;
}

/** Names a resource: a connection, a cache, anything that tools share. Two keys of one name are two resources. */
export function resourceKey<T>(name: string): ResourceKey<T> {
  return Object.freeze({ name });
}

/**
 * The lifetime of an instance: until the resources are closed (`singleton`), for one call of a tool (`tool-call`), or for
 * the one that asked for it (`fresh`).
 */
export type ResourceScope = "singleton" | "tool-call" | "fresh";

/** Gets another resource, for one that is made of it. */
export type Resolve = <T>(key: ResourceKey<T>) => Promise<T>;

/** A recipe for a resource. */
export interface Provider<T> {
  /** Makes an instance. What it made is closed by `Symbol.asyncDispose`, `Symbol.dispose` or `close()`, if it has one. */
  readonly create: (get: Resolve) => T | Promise<T>;
  /** Default `singleton`. */
  readonly scope?: ResourceScope | undefined;
  /** Makes it at once instead of on first use. Singletons only. */
  readonly eager?: boolean | undefined;
}

/** A resource and where it comes from. A later binding of a key takes the place of an earlier one. */
export interface ResourceBinding {
  readonly key: ResourceKey<unknown>;
  readonly scope: ResourceScope;
  readonly eager: boolean;
  readonly create: (get: Resolve) => unknown;
  /** True when the caller owns and closes the instance, which is available at any time. */
  readonly isSupplied: boolean;
}

/** Says how a resource is made. */
export function provide<T>(key: ResourceKey<T>, provider: Provider<T>): ResourceBinding {
  const { create, scope = "singleton", eager = false } = provider;
  return Object.freeze({ key, scope, eager: eager && scope === "singleton", create, isSupplied: false });
}

/** Supplies a resource that exists already, and stays its owner's: it is not closed. */
export function supply<T>(key: ResourceKey<T>, instance: T): ResourceBinding {
  return Object.freeze({ key, scope: "singleton" as const, eager: true, create: () => instance, isSupplied: true });
}
