/** Something that belongs to a server, a thread or a client, and is made when it is first asked for. */
export interface Service<Owner, T> {
  /** Makes it. What has to end with its owner is registered there. */
  readonly make: (owner: Owner) => T;
}

/** Describes a service. The object itself is the key: keep it in a constant. */
export const service = <Owner, T>(make: (owner: Owner) => T): Service<Owner, T> => ({ make });

/** What an owner has beside its own fields, so that no part has to keep it in a table of its own. */
export class Services<Owner> {
  readonly #owner: Owner;
  readonly #made = new Map<Service<Owner, unknown>, unknown>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The owner's service, made now if this is the first use. */
  get<T>(wanted: Service<Owner, T>): T {
    if (!this.#made.has(wanted)) this.#made.set(wanted, wanted.make(this.#owner));
    return this.#made.get(wanted) as T;
  }

  /** The service if it was made already. */
  made<T>(wanted: Service<Owner, T>): T | undefined {
    return this.#made.get(wanted) as T | undefined;
  }
}
