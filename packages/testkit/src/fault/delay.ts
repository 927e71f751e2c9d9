import type { Transport } from "@quire/jsonrpc";
import type { Random } from "../lib/random.ts";
import { type Direction, LaneTransport } from "./lane-transport.ts";

/** Options of {@link delayed}. */
export interface DelayOptions {
  /** Milliseconds for each message, or the bounds between which `random` picks. */
  readonly ms: number | readonly [min: number, max: number];
  /** Needed when `ms` is a pair. */
  readonly random?: Random;
  /** Default `both`. */
  readonly direction?: Direction;
}

/** Wraps a transport so that each message takes its time. The order stays as it is. */
export function delayed(inner: Transport, options: DelayOptions): Transport {
  const { ms, random, direction = "both" } = options;
  const draw = (): number => {
    if (typeof ms === "number") return ms;
    if (!random) throw new TypeError("delayed: bounds need a random to pick between them");
    return random.int(ms[0], ms[1]);
  };
  return new LaneTransport(inner, (way) => (direction === "both" || direction === way ? draw() : 0));
}
