import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { NodeAddress } from "../context/server-context.ts";
import type { Log } from "../lib/log.ts";
import type { Database } from "./database.ts";

/** Time after which others may take the threads of a server that they no longer hear of. */
const defaultLeaseMs = 10_000;
/** Renewals in a lease, so that one or two may fail. */
const renewals = 4;

/** Options of a {@link NodeLease}. */
export interface NodeOptions {
  readonly database: Database;
  readonly log: Log;
  readonly leaseMs?: number | undefined;
  /** Name that people are shown. Default: the machine's, with the process id. */
  readonly name?: string | undefined;
  /** Called again and again while this server is to give its threads away. */
  readonly onDraining?: (() => void) | undefined;
  /** Begins to serve the other servers. Default: they are told no address. */
  readonly serve?: (() => Promise<Pick<NodeAddress, "url" | "token">>) | undefined;
}

/** This server's entry among those of the database. While it is renewed, others leave its threads alone. */
export class NodeLease {
  readonly id: string = randomUUID();
  readonly name: string;
  readonly leaseMs: number;
  readonly #options: NodeOptions;
  #registered: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #draining = false;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.name = options.name ?? `${hostname()}:${process.pid}`;
    this.leaseMs = options.leaseMs ?? defaultLeaseMs;
  }

  /** Enters this server, once. */
  register(): Promise<void> {
    this.#registered ??= this.#register().catch((error) => {
      this.#registered = undefined;
      throw error;
    });
    return this.#registered;
  }

  /** True while this server is to give its threads away. */
  get isDraining(): boolean {
    return this.#draining;
  }

  /** True while no other server can have taken a thread of this one for want of a renewal. */
  get isValid(): boolean {
    return performance.now() - this.#renewedAt < this.leaseMs;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#registered) return;
    await this.#options.database
      .use("leave the database", (sql) => sql`DELETE FROM nodes WHERE id = ${this.id}`)
      // Then the lease ends by itself.
      .catch(() => undefined);
  }

  async #register(): Promise<void> {
    const { url = null, token = null } = (await this.#options.serve?.()) ?? {};
    const at = performance.now();
    await this.#options.database.use("enter this server into the database", async (sql) => {
      await sql`DELETE FROM nodes WHERE lease_until < now() - interval '1 day'`;
      await sql`
        INSERT INTO nodes (id, name, url, token, lease_until)
        VALUES (${this.id}, ${this.name}, ${url}, ${token}, now() + ${this.leaseMs} * interval '1 millisecond')`;
    });
    this.#renewedAt = at;
    this.#timer = setInterval(() => void this.#renew(), this.leaseMs / renewals);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const at = performance.now();
    try {
      const [row] = await this.#options.database.use(
        "renew this server's lease",
        (sql) => sql<{ draining: boolean }[]>`
          UPDATE nodes SET lease_until = now() + ${this.leaseMs} * interval '1 millisecond' WHERE id = ${this.id}
          RETURNING draining`,
      );
      this.#draining = row?.draining ?? false;
      if (this.#draining) this.#options.onDraining?.();
      this.#renewedAt = Math.max(this.#renewedAt, at);
    } catch (error) {
      this.#options.log.warn("the lease on this server's threads was not renewed", error);
    }
  }
}
