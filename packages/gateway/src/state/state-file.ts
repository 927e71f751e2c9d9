import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A file larger than this is not ours. */
const maxBytes = 1024 * 1024;

/**
 * Memory of a gateway over its restarts, each part under a name, in a JSON file that only its owner can read.
 * Without a path, or where it cannot be written, it lasts as long as the process.
 */
export class StateFile {
  readonly #path: string | undefined;
  readonly #parts: Record<string, unknown>;

  constructor(path: string | undefined) {
    this.#path = path;
    this.#parts = path === undefined ? {} : read(path);
  }

  /** A part as it was kept; check it before it is used. */
  get(name: string): unknown {
    return this.#parts[name];
  }

  set(name: string, value: unknown): void {
    this.#parts[name] = value;
    if (this.#path === undefined) return;
    const draft = `${this.#path}.${randomBytes(6).toString("hex")}`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      // A new file, so that neither the rights nor the target of one that is there count.
      writeFileSync(draft, `${JSON.stringify(this.#parts, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(draft, this.#path);
    } catch {
      rmSync(draft, { force: true });
    }
  }
}

function read(path: string): Record<string, unknown> {
  try {
    const { size, mode } = statSync(path);
    if (size > maxBytes) return {};
    if ((mode & 0o077) !== 0) chmodSync(path, 0o600);
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
