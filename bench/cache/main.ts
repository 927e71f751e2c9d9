/** The share of each request that a provider has in its prompt cache, over a thread in which everything changes once. */
import { mockResponses } from "@quire/testkit";
import { contestants, prepare } from "../against-codex.ts";
import { type Comparison, report } from "../figures.ts";
import { CodingThread } from "./coding-thread.ts";
import { type Step, steps } from "./prefixes.ts";
import { cachedPrice, lengths } from "./sizes.ts";

type Length = keyof typeof lengths;

const names = await contestants();
const comparisons: Comparison[] = [];
for (const length of Object.keys(lengths) as Length[]) comparisons.push(...(await compare(length)));
report({
  name: "cache",
  about:
    "A thread of twelve turns with commands, patches, new settings, edited instructions, a steer, an interrupt, restarts, a fork and a compaction, on quire app-server and on the real Codex. Each request to the model is compared with the one before it, in the order in which providers cache: tools, instructions, input. Nothing is timed.",
  comparisons,
});

async function compare(length: Length): Promise<Comparison[]> {
  const found = new Map<string, readonly Step[]>();
  for (const name of names) {
    found.set(name, await requestsOf(name, length));
    for (const { name: step, kept } of found.get(name) ?? [])
      if (kept < 1) console.error(`${name}, ${length} thread: ${step} keeps ${(100 * kept).toFixed(1)} %`);
  }
  const judge = (title: string, unit: Comparison["unit"], figure: (steps: readonly Step[]) => number) =>
    judged(title, { unit, times: Object.fromEntries([...found].map(([name, steps]) => [name, figure(steps)])) });
  const thread = `${length} thread`;
  return [
    judge(`Kept of the request before, mean, ${thread}`, "%", (all) => 100 * mean(all.map(({ kept }) => kept))),
    judge(`Kept of the request before, worst, ${thread}`, "%", (all) => 100 * Math.min(...all.map(({ kept }) => kept))),
    judge(`Requests that keep less than all, ${thread}`, "breaks", (all) => all.filter(({ kept }) => kept < 1).length),
    judge(`New in all requests, ${thread}`, "kB", (all) => sum(all.map(({ newBytes }) => newBytes)) / 1000),
    judge(`All requests with cached bytes at a tenth, ${thread}`, "kB", (all) => sum(all.map(cost)) / 1000),
  ];
}

async function requestsOf(name: string, length: Length): Promise<readonly Step[]> {
  await using model = await mockResponses();
  await using codex = await prepare(name, model.url);
  const thread = new CodingThread(codex, model, lengths[length]);
  await thread.run();
  return steps(model.requests, thread.names);
}

/** Shares are to be at least those of the rival, all else at most. */
function judged(title: string, { unit, times }: Pick<Comparison, "unit" | "times">): Comparison {
  const [ours = 0, theirs = 0] = names.map((name) => times[name]);
  const rival = names[1] === "before" ? "before" : `Codex ${names[1]}`;
  const isShare = unit === "%";
  return {
    title,
    count: 1,
    unit,
    times,
    goal: `at ${isShare ? "least" : "most"} that of ${rival}`,
    met: names.length > 1 && (isShare ? ours >= theirs : ours <= theirs),
  };
}

function cost({ bytes, newBytes }: Step): number {
  return newBytes + cachedPrice * (bytes - newBytes);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
