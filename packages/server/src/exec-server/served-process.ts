import { invalidRequest } from "../lib/rpc-errors.ts";
import { InputQueue } from "../run/commands/input-queue.ts";
import type { OutputChunk, ProcessNotifications, ProcessReadReply } from "../run/environments/exec-wire.ts";
import { startOwned } from "../run/process/process-table.ts";
import type { RunningProcess, StartOptions } from "../run/process/running-process.ts";
import { looksDenied } from "../run/sandbox/denial.ts";

/** Output kept for a client that comes back; older pieces are dropped. */
const keptBytes = 1024 * 1024;

/** Pieces kept: a command may write byte by byte. */
const keptPieces = 4096;

/** The exit code of what was killed. */
const killedCode = 137;

/** Writes remembered, so that one that is sent again after a lost connection is not written twice. */
const keptWrites = 256;

/** Longest time that a read waits for more; the client asks again. */
const maxWaitMs = 60_000;

/** Hears what happens to a process. */
type Notify = <M extends keyof ProcessNotifications>(method: M, params: ProcessNotifications[M]) => void;

/** The way to a process's client. */
export interface ProcessListener {
  readonly notify: Notify;
  /** Waits for a client that reads slowly, if there is one. */
  drained(): Promise<void> | undefined;
}

/** A piece of output. Encoded anew for each reader, for it is rarely read twice. */
interface Piece extends Pick<OutputChunk, "seq" | "stream"> {
  readonly bytes: Uint8Array;
}

const encoded = ({ seq, stream, bytes }: Piece): OutputChunk => ({
  seq,
  stream,
  chunk: Buffer.from(bytes).toString("base64"),
});

/** A command to start, and its owner. */
export interface ServedOptions extends Omit<StartOptions, "tag" | "onOutput" | "separate"> {
  readonly processId: string;
  readonly owner: string;
  readonly confined: boolean;
  readonly listener: ProcessListener;
}

/** A process that a client has started. It keeps what it said last, for a client that was away. */
export class ServedProcess {
  readonly id: string;
  readonly #process: RunningProcess;
  readonly #listener: ProcessListener;
  readonly #input: InputQueue | undefined;
  readonly #stream: "pty" | undefined;
  readonly #confined: boolean;
  readonly #writes = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #pieces: Piece[] = [];
  #kept = 0;
  #seq = 0;
  #exitCode: number | null = null;
  #isKilled = false;
  #denied = false;
  #closed = false;

  /** Throws the system's error when it cannot be started. */
  constructor({ processId, owner, confined, listener, ...options }: ServedOptions) {
    this.id = processId;
    this.#listener = listener;
    this.#confined = confined;
    this.#stream = options.tty ? "pty" : undefined;
    this.#process = startOwned(owner, {
      ...options,
      separate: true,
      onOutput: (bytes, from) => this.#said(bytes, from),
    });
    this.#input = options.tty || options.stdin ? new InputQueue(this.#process) : undefined;
    void this.#process.exited.then(({ code }) => this.#ended(this.#isKilled ? killedCode : code));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Writes to stdin once for each id. */
  async write(bytes: Uint8Array, writeId: string): Promise<"accepted" | "stdinClosed"> {
    if (!this.#input || this.#closed) return "stdinClosed";
    if (this.#writes.has(writeId)) return "accepted";
    const [oldest] = this.#writes.size < keptWrites ? [] : this.#writes;
    if (oldest !== undefined) this.#writes.delete(oldest);
    this.#writes.add(writeId);
    try {
      await this.#input.write(bytes);
    } catch (error) {
      this.#writes.delete(writeId);
      throw error;
    }
    return "accepted";
  }

  async interrupt(): Promise<void> {
    if (!this.#closed) await this.#process.signal("SIGINT");
  }

  /** Kills it with all that it started. False when it had ended. */
  terminate(): boolean {
    if (this.#exitCode !== null) return false;
    this.#isKilled = true;
    this.#process.killNow();
    void this.#process.kill();
    return true;
  }

  /** Output after a number, waiting for some if asked to. */
  async read(
    { afterSeq = 0, maxBytes = keptBytes, waitMs = 0 }: ReadOptions,
    signal: AbortSignal,
  ): Promise<ProcessReadReply> {
    if (waitMs > 0 && this.#seq <= afterSeq && !this.#closed) await this.#change(Math.min(waitMs, maxWaitMs), signal);
    const chunks: OutputChunk[] = [];
    let size = 0;
    let nextSeq = this.#seq + 1;
    for (const piece of this.#pieces) {
      if (piece.seq <= afterSeq) continue;
      // At least one piece, or the reader would never get past it.
      if (chunks.length > 0 && size + piece.bytes.length > maxBytes) break;
      chunks.push(encoded(piece));
      size += piece.bytes.length;
      nextSeq = piece.seq + 1;
    }
    const isAll = chunks.length === 0 || chunks.at(-1)?.seq === this.#pieces.at(-1)?.seq;
    return {
      chunks,
      nextSeq: isAll && size < maxBytes ? this.#seq + 1 : nextSeq,
      exited: this.#exitCode !== null,
      exitCode: this.#exitCode,
      closed: this.#closed,
      failure: null,
      sandboxDenied: this.#denied,
    };
  }

  /** Waits for whatever happens next. */
  #change(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= keptWrites) {
      throw invalidRequest(`${keptWrites} reads wait for process ${this.id} already`);
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }

  #said(bytes: Uint8Array, from: "stdout" | "stderr"): Promise<void> | undefined {
    const piece = { seq: ++this.#seq, stream: this.#stream ?? from, bytes };
    this.#pieces.push(piece);
    this.#kept += bytes.length;
    while (this.#pieces.length > 1 && (this.#kept > keptBytes || this.#pieces.length > keptPieces)) {
      this.#kept -= this.#pieces.shift()?.bytes.length ?? 0;
    }
    this.#listener.notify("process/output", { processId: this.id, ...encoded(piece) });
    this.#wake();
    return this.#listener.drained();
  }

  #ended(exitCode: number): void {
    this.#exitCode = exitCode;
    this.#denied = this.#confined && looksDenied(exitCode, this.#text());
    const processId = this.id;
    this.#listener.notify("process/exited", { processId, seq: ++this.#seq, exitCode, sandboxDenied: this.#denied });
    this.#closed = true;
    this.#listener.notify("process/closed", { processId, seq: ++this.#seq });
    this.#wake();
  }

  #text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#pieces.map(({ bytes }) => bytes)));
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

/** The part of the output that is read. */
export interface ReadOptions {
  readonly afterSeq?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly waitMs?: number | undefined;
}
