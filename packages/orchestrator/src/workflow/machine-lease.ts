import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { SQL } from "bun";
import type { MachinesConfig } from "./machines-config.ts";
import { TrackerTakenError } from "./tracker-locks.ts";

/** Renewals in a lease, so that one or two may fail. */
const renewals = 4;
/** Any number that no other program is likely to use. */
const advisoryLock = 7_314_161;

/** Options of a {@link MachineLease}. */
export interface MachineLeaseOptions extends MachinesConfig {
  /** The file with this orchestrator's id, so that it is known again when it starts anew; undefined for none. */
  readonly idFile: string | undefined;
  /** Called once when another machine may have taken over: nothing more may be done to the issues. */
  readonly onLost: (why: string) => void;
}

interface HolderRow {
  readonly holder: string;
  readonly host: string;
}

/**
 * The right to work on a tracker's issues, among the orchestrators of all machines that name the same database. It is
 * renewed for as long as this process lives. On one machine the locks of the system do that.
 */
export class MachineLease {
  readonly #options: MachineLeaseOptions;
  readonly #sql: SQL;
  readonly #holder: string;
  readonly #scopes = new Set<string>();
  #renewedAt = performance.now();
  #timer: ReturnType<typeof setInterval> | undefined;
  #lost = false;

  constructor(options: MachineLeaseOptions) {
    this.#options = options;
    this.#sql = new SQL(options.url, { max: 1, connectionTimeout: 10 });
    this.#holder = ownId(options.idFile);
  }

  /** Takes the lease of a place of issues. Throws a `tracker_taken` while another machine has it. */
  async take(scope: string | null): Promise<void> {
    if (scope === null || this.#scopes.has(scope)) return;
    const at = performance.now();
    if (this.#scopes.size === 0) await this.#prepare();
    const [taken] = await this.#claim(scope);
    if (!taken) {
      const [other] = await this.#sql<HolderRow[]>`SELECT holder, host FROM quire_orchestrators WHERE scope = ${scope}`;
      throw new TrackerTakenError(
        `An orchestrator on ${other?.host ?? "another machine"} works on these issues (${scope}): stop it first, or use another tracker`,
      );
    }
    this.#scopes.add(scope);
    if (this.#timer) return;
    this.#renewedAt = at;
    this.#timer = setInterval(() => void this.#renew(), this.#options.leaseMs / renewals);
    this.#timer.unref();
  }

  /** Gives all leases back. Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const scopes = [...this.#scopes];
    this.#scopes.clear();
    try {
      for (const scope of scopes) {
        await this.#sql`DELETE FROM quire_orchestrators WHERE scope = ${scope} AND holder = ${this.#holder}`;
      }
    } catch {
      // Then they end by themselves.
    }
    await this.#sql.end({ timeout: 1 }).catch(() => undefined);
  }

  #prepare(): Promise<void> {
    return this.#sql.begin(async (transaction) => {
      // Two that start at once would both make it.
      await transaction`SELECT pg_advisory_xact_lock(${advisoryLock})`;
      await transaction`
        CREATE TABLE IF NOT EXISTS quire_orchestrators (
          scope TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, lease_until TIMESTAMPTZ NOT NULL
        )`;
    });
  }

  #claim(scope: string): Promise<HolderRow[]> {
    return this.#sql<HolderRow[]>`
      INSERT INTO quire_orchestrators AS held (scope, holder, host, lease_until)
      VALUES (${scope}, ${this.#holder}, ${hostname()}, now() + ${this.#options.leaseMs} * interval '1 millisecond')
      ON CONFLICT (scope) DO UPDATE
        SET holder = excluded.holder, host = excluded.host, lease_until = excluded.lease_until
        WHERE held.holder = excluded.holder OR held.lease_until < now()
      RETURNING holder, host`;
  }

  async #renew(): Promise<void> {
    const at = performance.now();
    try {
      for (const scope of this.#scopes) {
        const [kept] = await this.#claim(scope);
        if (!kept) return this.#lose(`another machine has taken over ${scope}`);
      }
      this.#renewedAt = Math.max(this.#renewedAt, at);
    } catch (error) {
      if (performance.now() - this.#renewedAt < this.#options.leaseMs) return;
      this.#lose(`the database of machines.database cannot be reached: ${(error as Error).message}`);
    }
  }

  #lose(why: string): void {
    if (this.#lost) return;
    this.#lost = true;
    clearInterval(this.#timer);
    this.#options.onLost(why);
  }
}

function ownId(file: string | undefined): string {
  if (file === undefined) return randomUUID();
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    const id = randomUUID();
    writeFileSync(file, `${id}\n`, { mode: 0o600 });
    return id;
  }
}
