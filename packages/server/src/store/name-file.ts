import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fields, text } from "./codex/fields.ts";
import { parseLines, writeFully } from "./rollout-bytes.ts";

const fileName = "session_index.jsonl";

/** The users' names of threads, in Codex's file: one line for each naming, of which the last counts. */
export class NameFile {
  readonly #path: string;
  #names = new Map<string, string>();
  #changed = new Map<string, string>();
  #inode = 0;
  #read = 0;

  constructor(home: string) {
    this.#path = join(home, fileName);
  }

  /** The name of a thread; `undefined` when it never had one. An empty name was removed. */
  get(threadId: string): string | undefined {
    this.#refresh();
    return this.#names.get(threadId);
  }

  /** Threads renamed since the last call. */
  takeChanged(): ReadonlyMap<string, string> {
    this.#refresh();
    const changed = this.#changed;
    this.#changed = new Map();
    return changed;
  }

  put(threadId: string, name: string | null): void {
    const line = { id: threadId, thread_name: name ?? "", updated_at: new Date().toISOString() };
    const fd = openSync(this.#path, "a+", 0o600);
    try {
      // Half a line, as a process leaves it that was killed, must not take this one with it.
      const start = endsWithLine(fd) ? "" : "\n";
      writeFully(fd, `${start}${JSON.stringify(line)}\n`);
    } finally {
      closeSync(fd);
    }
  }

  #refresh(): void {
    let fd: number;
    try {
      fd = openSync(this.#path, "r");
    } catch {
      return;
    }
    try {
      const { ino, size } = fstatSync(fd);
      if (ino !== this.#inode || size < this.#read) {
        this.#names = new Map();
        this.#inode = ino;
        this.#read = 0;
      }
      if (size > this.#read) this.#take(fd, size);
    } finally {
      closeSync(fd);
    }
  }

  #take(fd: number, size: number): void {
    const bytes = Buffer.alloc(size - this.#read);
    const length = readSync(fd, bytes, 0, bytes.length, this.#read);
    // Half a line, which another process is just writing, is left for the next time.
    const whole = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
    this.#read += whole;
    for (const line of parseLines(bytes.subarray(0, whole))) {
      const { id, thread_name: name } = fields(line);
      if (typeof id !== "string") continue;
      this.#names.set(id, text(name));
      this.#changed.set(id, text(name));
    }
  }
}

function endsWithLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}
