import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { LogSink } from "./log-sinks.ts";

/** A log file, and how much of it is kept. */
export interface LogFileOptions {
  readonly path: string;
  /** Size at which another file is begun. */
  readonly maxBytes: number;
  /** Earlier files that are kept, as `PATH.1` (the newest), `PATH.2`, … */
  readonly keep: number;
}

/** A log in a file that only its owner can read. Its owner disposes of it. */
export class FileSink implements LogSink, Disposable {
  readonly name: string;
  readonly #options: LogFileOptions;
  #file: number | undefined;
  #size = 0;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.name = options.path;
    mkdirSync(dirname(options.path), { recursive: true });
    this.#open();
  }

  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) this.#rotate();
    if (this.#file !== undefined) this.#size += writeSync(this.#file, bytes);
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): void {
    this.#file = openSync(this.#options.path, "a", 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  #rotate(): void {
    const { path, keep } = this.#options;
    this[Symbol.dispose]();
    for (let number = keep; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      try {
        renameSync(from, `${path}.${number}`);
      } catch (error) {
        // There are not so many yet.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
    this.#open();
  }
}
