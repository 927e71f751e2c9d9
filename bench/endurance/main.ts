/**
 * Servers that are used hard for long. Prints the seed and one line of verdict for each part.
 *
 *   npm run bench -- endurance [SECONDS] [--part NAME] [--rounds N] [--seed N] [--record]
 */
import process from "node:process";
import { type Comparison, report } from "../figures.ts";
import { fuzz } from "./fuzz.ts";
import { kills } from "./kills/kills.ts";
import type { Part } from "./part.ts";
import { soak } from "./soak.ts";
import { storm } from "./storm/storm.ts";

const parts: readonly Part[] = [kills, soak, storm, fuzz];

const words = process.argv.slice(2);
const flagValue = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
const chosen = parts.filter(({ name }) => [undefined, name].includes(flagValue("--part")));
if (chosen.length === 0) throw new Error(`--part is one of ${parts.map(({ name }) => name).join(", ")}`);
const isRecorded = words.includes("--record");
if (isRecorded && chosen.length < parts.length)
  throw new Error("the figures of all parts are recorded: leave out --part");
const seconds = Number(/^\d+$/.test(words[0] ?? "") ? words[0] : 300);
const seed = Number(flagValue("--seed") ?? Math.floor(Math.random() * 2 ** 31));
const rounds = flagValue("--rounds");
const shares = chosen.reduce((sum, { share }) => sum + share, 0);
console.log(`seed ${seed}, ${seconds} s for ${chosen.map(({ name }) => name).join(", ")}`);
const comparisons: Comparison[] = [];
for (const part of chosen) {
  const until = Date.now() + (seconds * 1000 * part.share) / shares;
  const found = await part.run({ until, seed, rounds: rounds === undefined ? undefined : Number(rounds) });
  console.log(
    `${part.name}: ${found.every(({ met }) => met) ? "holds" : "DOES NOT HOLD"}: ${found.map(inWords).join("; ")}`,
  );
  comparisons.push(...found);
}
if (isRecorded || words.includes("--json")) {
  const about = `quire app-server and the gateway, used hard for ${seconds} seconds, with a model that answers at once. Everything random comes from the seed ${seed}.`;
  report({ name: "endurance", about, comparisons });
}
process.exit(comparisons.every(({ met }) => met) ? 0 : 1);

function inWords({ title, times, unit = "ms", goal }: Comparison): string {
  const figures = Object.entries(times).map(([name, value]) => {
    return unit === "count" ? `${value} ${name}` : `${name} ${value.toFixed(1)} ${unit}`;
  });
  return `${title}: ${figures.join(", ")} (${goal})`;
}
