import type { Transport } from "@quire/jsonrpc";
import type { Random } from "../lib/random.ts";
import { TransportWrapper } from "../lib/transport-wrapper.ts";

/** Lines that stand where a message should, none of which may hurt a reader. */
const kinds: readonly ((random: Random) => string)[] = [
  () => "this is no JSON",
  () => '{"method":"item/started","params":{"item":',
  () => "[]",
  () => "42",
  () => "null",
  () => '"text"',
  () => "{}",
  () => '{"jsonrpc":"2.0"}',
  () => '{"id":987654321,"result":{}}',
  () => '{"id":null,"error":{"code":-32700,"message":"junk"}}',
  () => `${"[".repeat(2000)}${"]".repeat(2000)}`,
  (random) => `log line \u2028 with separators \u2029 ${random.int(0, 1e9)}`,
  (random) =>
    Buffer.from(random.bytes(random.int(1, 60)))
      .toString("latin1")
      .replaceAll("\n", " "),
];

/** Makes a line of junk without a newline: no JSON, half JSON, JSON that is no message, or a reply nobody waits for. */
export function junkLine(random: Random): string {
  return random.pick(kinds)(random);
}

/** Options of {@link junky}. */
export interface JunkOptions {
  readonly random: Random;
  /** Probability of junk before each message. Default 0.5. */
  readonly probability?: number;
}

/** Wraps a transport so that junk arrives between the messages, as from a server whose library prints to stdout. */
export function junky(inner: Transport, options: JunkOptions): Transport {
  return new Junky(inner, options);
}

class Junky extends TransportWrapper {
  readonly #options: JunkOptions;

  constructor(inner: Transport, options: JunkOptions) {
    super(inner);
    this.#options = options;
  }

  protected override incoming(text: string): void {
    const { random, probability = 0.5 } = this.#options;
    if (random.chance(probability)) this.deliver(junkLine(random));
    this.deliver(text);
  }
}
