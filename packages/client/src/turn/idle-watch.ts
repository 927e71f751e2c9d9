import { ConnectionError } from "@quire/jsonrpc";
import type { TurnLog } from "./turn-log.ts";

/** The checks per limit: a turn is given up at most a tenth later than configured. */
const looksPerLimit = 10;

/**
 * Gives up on a turn in which nothing happens. The time in which the server waits for an answer from this side does not
 * count. Nothing is done per event: a timer looks whether their number has changed.
 *
 * @returns Stops the watch.
 */
export function watchIdle(
  log: TurnLog,
  limitMs: number,
  isAsked: () => boolean,
  expired: (error: ConnectionError) => void,
): () => void {
  if (!(limitMs > 0) || limitMs === Number.POSITIVE_INFINITY) return () => undefined;
  let seen = log.count;
  let idleLooks = 0;
  const timer = setInterval(
    () => {
      idleLooks = log.count === seen && !isAsked() ? idleLooks + 1 : 0;
      seen = log.count;
      if (idleLooks < looksPerLimit) return;
      clearInterval(timer);
      const message = `Nothing happened in the turn for ${limitMs} ms (turnIdleTimeoutMs)`;
      expired(new ConnectionError("timeout", message, { mayHaveRun: true }));
    },
    Math.max(1, limitMs / looksPerLimit),
  );
  return () => clearInterval(timer);
}
