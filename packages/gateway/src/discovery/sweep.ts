import { isOfAnotherUser } from "./owner.ts";
import { type OpenPort, probe } from "./probe.ts";

/** Options of a sweep for servers. */
export interface SweepOptions {
  readonly ports: readonly number[];
  readonly everyMs: number;
  /** Called for every port that is open, at each sweep. */
  found(address: string): void;
}

/** A port that turned out to be no app-server is asked again after so many sweeps at most: once in a minute. */
const longestPause = 12;

/**
 * Looks for servers on this machine again and again. It only adds: what is there already is tried again where it is not
 * connected, and nothing is ever removed.
 */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #pauses = new Map<number, { skip: number; left: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #sweeping: Promise<void> | undefined;

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#next(0);
  }

  /** Resolves when the last sweep is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  /** Marks a port whose listener is no app-server: it is probed less and less often. */
  backOff(port: number): void {
    const { skip } = this.#pauses.get(port) ?? { skip: 0.5 };
    const next = Math.min(skip * 2, longestPause);
    this.#pauses.set(port, { skip: next, left: next });
  }

  #next(afterMs: number): void {
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => {
        if (!this.#stopped) this.#next(this.#options.everyMs);
      });
    }, afterMs);
  }

  async #sweep(): Promise<void> {
    const open = await probe(this.#options.ports);
    if (this.#stopped) return;
    const ports = new Set(open.map(({ port }) => port));
    for (const port of [...this.#pauses.keys()]) if (!ports.has(port)) this.#pauses.delete(port);
    for (const each of open) {
      if (this.#rests(each.port)) continue;
      // Another user of this machine could pass a server of theirs off as the user's own.
      if (await isOfAnotherUser(each.port)) this.backOff(each.port);
      else if (!this.#stopped) this.#options.found(addressOf(each));
    }
  }

  #rests(port: number): boolean {
    const pause = this.#pauses.get(port);
    if (!pause || pause.left <= 0) return false;
    pause.left--;
    return true;
  }
}

function addressOf({ port, host }: OpenPort): string {
  return host === "::1" ? `ws://[::1]:${port}` : `ws://127.0.0.1:${port}`;
}
