import { type Call, caller, type List } from "../calls/call.ts";
import type { ServerPort } from "../port/server-port.ts";

/** Turns by their ids, for who holds no handle on them. */
export interface Turns {
  /** Lists a thread's turns. */
  readonly list: List<"thread/turns/list">;
  /** Adds input to a running turn; `expectedTurnId` guards against hitting the next one. */
  readonly steer: Call<"turn/steer">;
  /** Interrupts a running turn. It has ended when `turn/completed` says so. */
  readonly interrupt: Call<"turn/interrupt">;
}

/** The `turns` group of a server. */
export function turnsOf(port: ServerPort): Turns {
  const { call, list } = caller(port);
  return { list: list("thread/turns/list"), steer: call("turn/steer"), interrupt: call("turn/interrupt") };
}

/** Reviews, as bare calls. */
export interface Reviews {
  /** Starts a review; its turn reports the progress. */
  readonly start: Call<"review/start">;
}

/** The `review` group of a server. */
export function reviewOf(port: ServerPort): Reviews {
  return { start: caller(port).call("review/start") };
}
