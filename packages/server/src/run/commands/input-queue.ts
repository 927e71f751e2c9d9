import { invalidRequest } from "../../lib/rpc-errors.ts";

/** Unread input from which on a writer waits, at most {@link maxWaitMs} each time: a kill may be queued behind it. */
const highWater = 8 * 1024 * 1024;
const maxWaitMs = 500;

/** Maximum unread input of a command; more is refused. */
const maxUnread = 64 * 1024 * 1024;

/** The receiver of input. */
export interface InputTarget {
  write(data: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
}

/** Input on its way to a command, in order. A command that does not read blocks nobody. */
export class InputQueue {
  readonly #target: InputTarget;
  #tail: Promise<void> = Promise.resolve();
  #unread = 0;
  #closed = false;

  constructor(target: InputTarget) {
    this.#target = target;
  }

  /** True when stdin was ended. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Queues bytes. Settles when they are on their way, later when much is unread. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#unread > 0 && this.#unread + bytes.length > maxUnread) {
      throw invalidRequest(
        `stdin is full: ${this.#unread} bytes are unread; write again once the command has read them`,
      );
    }
    this.#unread += bytes.length;
    const done = this.#then(async () => {
      await this.#target.write(bytes);
      this.#unread -= bytes.length;
    });
    if (this.#unread > highWater) await within(maxWaitMs, done);
  }

  /** Ends stdin after what is queued. */
  close(): void {
    this.#closed = true;
    void this.#then(() => this.#target.closeStdin());
  }

  #then(work: () => Promise<void>): Promise<void> {
    // A command that is gone takes no input; its end is reported elsewhere.
    this.#tail = this.#tail.then(work).catch(() => undefined);
    return this.#tail;
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, ms);
  await Promise.race([work, timer.promise]);
  clearTimeout(timeout);
}
