import { Feed } from "../lib/feed.ts";
import { onAbort } from "../lib/on-abort.ts";
import { onEnded } from "./on-ended.ts";
import type { ServerPort } from "./server-port.ts";

/** A feed that lasts no longer than its connection and its signal; the reader gets the error of whichever ends it. */
export abstract class ConnectionFeed<T> extends Feed<T> implements AsyncDisposable {
  /** The functions that end it, in order. */
  protected readonly undo: (() => void)[] = [];

  constructor(port: ServerPort, signal: AbortSignal | undefined) {
    super();
    const forget = signal && onAbort(signal, () => this.finish({ error: signal.reason }));
    this.undo.push(
      onEnded(port, (error) => this.finish({ error })),
      () => forget?.(),
      port.hold?.() ?? (() => undefined),
    );
  }

  /** Stops reading. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  protected override release(): void {
    for (const undo of this.undo) undo();
  }
}
