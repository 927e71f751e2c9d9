import { statSync } from "node:fs";

const keptMs = 10_000;

/** Keeps what was last read of a thread, for paging through it. Callers must not change it. */
export class RecentThread<Kept> {
  #kept: { readonly path: string; readonly state: string; readonly read: Promise<Kept> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The kept read of a thread, while its file is unchanged. */
  kept(path: string): Promise<Kept> | undefined {
    const kept = this.#kept;
    return kept?.path === path && kept.state === stateOf(path) ? kept.read : undefined;
  }

  /** Reads a thread, unless it is kept. */
  get(path: string, read: () => Promise<Kept>): Promise<Kept> {
    const known = this.kept(path);
    if (known) return known;
    // Before it is read: what is written meanwhile shows as a change.
    const kept = { path, state: stateOf(path), read: read() };
    this.#kept = kept;
    kept.read.catch(() => this.forget());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.forget(), keptMs);
    this.#timer.unref();
    return kept.read;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#kept = undefined;
  }
}

/** Empty when the file is missing: reading it will say why. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return "";
  }
}
