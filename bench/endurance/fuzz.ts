import { RpcError } from "@quire/jsonrpc";
import { methods } from "@quire/protocol/methods";
import { schemaOf } from "@quire/protocol/validate";
import { type Random, random } from "@quire/testkit";
import { Sampler } from "@quire/testkit/sampler";
import { type Bounds, noneOf, type Part } from "./part.ts";
import { Subject } from "./subject.ts";

const atOnce = 100;
/** Methods whose mutated params could reach beyond the home of the server, or end it. */
const skipped = /^(?:fs\/|command\/|process\/|thread\/shellCommand|plugin|marketplace|environment|account|initialize)/;

/** Mutated messages: each request is answered, by words that somebody meant, and the server lives on. */
export const fuzz: Part = {
  name: "fuzz",
  share: 1,
  async run({ until, seed }: Bounds) {
    const subject = await Subject.start();
    const dice = random(seed);
    const problems: string[] = [];
    let sent = 0;
    try {
      const threadId = await subject.thread();
      const requests = Object.entries(methods).filter(
        ([name, row]) => row.from === "client" && row.kind === "request" && !skipped.test(name),
      );
      const sampler = new Sampler(dice);
      const one = async (): Promise<void> => {
        const [method, row] = dice.pick(requests);
        const params = row.params === null ? {} : sampler.mutate(sampler.sample(schemaOf(row.params)));
        const aimed = isObject(params) && "threadId" in params ? { ...params, threadId } : params;
        if (dice.chance(0.3))
          subject.transport.send(broken(dice, JSON.stringify({ id: `raw-${sent}`, method, params: aimed })));
        sent++;
        const error = await subject.rpc.request(method, aimed).catch((thrown: unknown) => thrown);
        if (!(error instanceof Error)) return;
        if (!RpcError.is(error) || error.message.startsWith("Internal error in"))
          problems.push(`${method} ${JSON.stringify(aimed).slice(0, 300)}: ${error.message}`);
      };
      while (Date.now() < until && subject.alive && problems.length < 10)
        await Promise.all(Array.from({ length: atOnce }, one));
      for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
      const times = { "not answered as they should": problems.length, "servers that ended": subject.alive ? 0 : 1 };
      return [noneOf({ title: `${sent} mutated requests`, count: sent, times })];
    } finally {
      await subject.end();
    }
  },
};

/** A line that is cut, repeated, deep, or has an id that is no exact number. */
function broken(dice: Random, line: string): string {
  const depth = dice.int(100, 20_000);
  const at = dice.int(0, line.length);
  return dice.pick([
    line.slice(0, at),
    line.slice(0, at) + line.slice(dice.int(0, line.length)),
    `{"id":9007199254740993,"method":"thread/read","params":${"[".repeat(depth)}${"]".repeat(depth)}}`,
    line.replace(/"id":"[^"]*"/, `"id":${dice.int(0, 10)}e${dice.int(0, 400)}`),
    `{"id":1,"id":{"a":1},"method":${line}}`,
  ]);
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
