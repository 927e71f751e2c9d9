/** A part of a server, thread or client that is made on first use. */
export interface Service<Owner, T> {
  /** Makes it, and registers what has to end with the owner. */
  readonly make: (owner: Owner) => T;
}

/** Describes a service. The object itself is the key: keep it in a constant. */
export const service = <Owner, T>(make: (owner: Owner) => T): Service<Owner, T> => ({ make });

/** The services of an owner, so that no part has to keep a table of owners. */
export class Services<Owner> {
  readonly #owner: Owner;
  readonly #made = new Map<Service<Owner, unknown>, unknown>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The owner's service, made on first use. */
  get<T>(wanted: Service<Owner, T>): T {
    if (!this.#made.has(wanted)) this.#made.set(wanted, wanted.make(this.#owner));
    return this.#made.get(wanted) as T;
  }

  /** The service, if it exists already. */
  made<T>(wanted: Service<Owner, T>): T | undefined {
    return this.#made.get(wanted) as T | undefined;
  }
}
