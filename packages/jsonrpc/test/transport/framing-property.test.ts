import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection, LineReader } from "@quire/jsonrpc";
import { ManualTransport } from "../support/manual-transport.ts";
import { chooseSeed, Random, randomJson, randomText } from "../support/random.ts";
import { test } from "../support/test.ts";

const rounds = 10_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** JSON text of the value, some of its characters escaped though they need not be. */
function spelled(random: Random, value: unknown): string {
  const text = JSON.stringify(value);
  if (random.chance(0.5)) return text;
  return text.replace(/[\u0080-\uFFFF]/g, (unit) =>
    random.chance(0.5) || /[\uD800-\uDFFF]/.test(unit)
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      : unit,
  );
}

/** A line that is no message, as the bytes before its newline. Never blank: blank lines are skipped, not reported. */
function garbage(random: Random): Uint8Array {
  switch (random.below(5)) {
    case 0:
      return encoder.encode(`!${randomText(random).replaceAll("\n", "")}`);
    case 1:
      return Uint8Array.from([0x21, ...Array.from({ length: random.below(20) }, () => 0x80 + random.below(0x80))]);
    case 2: {
      const whole = JSON.stringify({ method: "cut", params: randomText(random) });
      return encoder.encode(whole.slice(0, 1 + random.below(whole.length - 1)));
    }
    case 3:
      return encoder.encode(random.pick(["1", "null", '"text"', "[]", '[{"method":"x"}]', "true", "{}"]));
    default:
      return encoder.encode(random.pick(['{"method":1}', '{"id":{},"method":"x"}', '{"result":1}', '{"error":"no"}']));
  }
}

interface Round {
  readonly stream: Uint8Array;
  readonly messages: string[];
  readonly garbage: string[];
}

function makeRound(random: Random): Round {
  const lines: Uint8Array[] = [];
  const messages: string[] = [];
  const rejected: string[] = [];
  for (let count = 1 + random.below(6); count > 0; count--) {
    const message = { method: `m${random.below(9)}`, params: randomJson(random, 3) };
    messages.push(JSON.stringify(message));
    lines.push(encoder.encode(spelled(random, message) + random.pick(["", "\r", " ", " \t\r"])));
    while (random.chance(0.3)) lines.push(encoder.encode(random.pick(["", "\r"])));
    while (random.chance(0.3)) {
      const line = garbage(random);
      lines.push(line);
      rejected.push(decoder.decode(line));
    }
  }
  return { stream: joined(lines, random.chance(0.5)), messages, garbage: rejected };
}

function joined(lines: readonly Uint8Array[], lastNewline: boolean): Uint8Array {
  const bytes = lines.flatMap((line) => [line, Uint8Array.of(0x0a)]);
  if (!lastNewline) bytes.pop();
  return new Uint8Array(Buffer.concat(bytes));
}

function play(random: Random, { stream }: Round): { messages: string[]; garbage: string[] } {
  const messages: string[] = [];
  const rejected: string[] = [];
  const transport = new ManualTransport();
  const reader = new LineReader(1024 * 1024);
  const deliver = () => {
    for (let line = reader.read(); line !== undefined; line = reader.read()) transport.arrive(line);
  };
  new Connection(transport, {
    onNotification: (message) => void messages.push(JSON.stringify(message)),
    onMalformed: (text) => void rejected.push(text),
  });
  const longest = random.pick([1, 3, 20, 400, stream.length]);
  for (let at = 0; at < stream.length; ) {
    const end = Math.min(stream.length, at + 1 + random.below(stream.length > 10_000 ? stream.length : longest));
    reader.push(stream.subarray(at, end));
    deliver();
    at = end;
  }
  reader.end();
  deliver();
  transport.end();
  return { messages, garbage: rejected };
}

describe("any messages, cut anywhere, with garbage between", () => {
  test("exactly the messages arrive, in order, and exactly the garbage is reported", () => {
    const seed = chooseSeed();
    const random = new Random(seed);
    for (let n = 0; n < rounds; n++) {
      const round = makeRound(random);
      const seen = play(random, round);
      const where = `round ${n} of QUIRE_SEED=${seed}`;
      assert.deepEqual(seen.messages, round.messages, where);
      assert.deepEqual(seen.garbage, round.garbage, where);
    }
  });
});
