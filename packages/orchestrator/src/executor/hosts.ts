import type { HostState } from "../events/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import type { WorkerConfig } from "../workflow/worker-config.ts";
import type { Executor } from "./executor.ts";
import { localExecutor } from "./local-executor.ts";
import { sshExecutor } from "./ssh-executor.ts";

/** Pause before a host that was lost is looked at again. */
const againMs = 30_000;

/** Options of {@link Hosts}. */
export interface HostsOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings now. */
  config(): WorkerConfig;
  /** Hosts of the runs that are under way, one for each run. */
  running(): Iterable<string | null>;
  /** Told that a host is lost, or is there again. */
  changed(host: string, lost: string | null): void;
}

/** Chooses where runs go. A host that is lost is left out until it answers again. */
export class Hosts {
  readonly #options: HostsOptions;
  readonly #executors = new Map<string, Executor>();
  readonly #lost = new Map<string, { readonly why: string; lookedAt: number }>();

  constructor(options: HostsOptions) {
    this.#options = options;
  }

  /** The machine of this name; null is this one. */
  of(host: string | null): Executor {
    if (host === null) return localExecutor;
    const known = this.#executors.get(host) ?? sshExecutor(host, this.#options.env);
    this.#executors.set(host, known);
    return known;
  }

  /** Runs that there is room for on all machines together, those under way included. */
  get capacity(): number {
    const { sshHosts, maxPerHost } = this.#options.config();
    if (sshHosts.length === 0) return Number.POSITIVE_INFINITY;
    const well = sshHosts.filter((host) => !this.#lost.has(host)).length;
    const elsewhere = [...this.#counts()].reduce((sum, [host, count]) => sum + (this.#isUsable(host) ? 0 : count), 0);
    return well === 0 ? 0 : maxPerHost === null ? Number.POSITIVE_INFINITY : well * maxPerHost + elsewhere;
  }

  /**
   * The machine for a run; undefined where there is no room now.
   *
   * @param before Host of the workspace. It is waited for as long as it is well: the work is there.
   */
  choose(before: string | null): Executor | undefined {
    const { sshHosts, maxPerHost } = this.#options.config();
    if (sshHosts.length === 0) return localExecutor;
    const counts = this.#counts();
    const room = (host: string) => (maxPerHost ?? Number.POSITIVE_INFINITY) - (counts.get(host) ?? 0);
    if (before !== null && this.#isUsable(before)) return room(before) > 0 ? this.of(before) : undefined;
    const free = sshHosts.filter((host) => this.#isUsable(host) && room(host) > 0);
    const [best] = free.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    return best === undefined ? undefined : this.of(best);
  }

  /** Looks whether a host is still there, after something failed on it; says why it is lost. */
  async verify(host: string): Promise<string | null> {
    const known = this.#lost.get(host);
    if (known) return known.why;
    try {
      await this.of(host).probe();
      return null;
    } catch (error) {
      const why = (error as Error).message;
      if (!this.#lost.has(host)) {
        this.#lost.set(host, { why, lookedAt: this.#options.clock.elapsed() });
        this.#options.changed(host, why);
      }
      return why;
    }
  }

  /** Looks at the hosts that are lost, each now and then; says whether one is there again. */
  async lookAgain(): Promise<boolean> {
    const { clock, changed } = this.#options;
    const due = [...this.#lost].filter(([, { lookedAt }]) => clock.elapsed() - lookedAt >= againMs);
    const found = await Promise.all(
      due.map(async ([host, state]) => {
        state.lookedAt = clock.elapsed();
        const isThere = await this.of(host)
          .probe()
          .then(
            () => true,
            () => false,
          );
        if (isThere && this.#lost.delete(host)) changed(host, null);
        return isThere;
      }),
    );
    return found.some(Boolean);
  }

  /** All hosts of the workflow. */
  states(): readonly HostState[] {
    const counts = this.#counts();
    return this.#options.config().sshHosts.map((host) => ({
      host,
      running: counts.get(host) ?? 0,
      lost: this.#lost.get(host)?.why ?? null,
    }));
  }

  #isUsable(host: string | null): boolean {
    return host !== null && this.#options.config().sshHosts.includes(host) && !this.#lost.has(host);
  }

  #counts(): Map<string | null, number> {
    const counts = new Map<string | null, number>();
    for (const host of this.#options.running()) counts.set(host, (counts.get(host) ?? 0) + 1);
    return counts;
  }
}
