/**
 * Servers that are used hard for long. Prints the seed and one line of verdict for each part.
 *
 *   npm run bench -- endurance [SECONDS] [--part NAME] [--rounds N] [--seed N]
 */
import { fuzz } from "./fuzz.ts";
import { kills } from "./kills/kills.ts";
import type { Part } from "./part.ts";
import { soak } from "./soak.ts";

const parts: readonly Part[] = [kills, soak, fuzz];

const words = process.argv.slice(2);
const flagValue = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
const chosen = parts.filter(({ name }) => [undefined, name].includes(flagValue("--part")));
if (chosen.length === 0) throw new Error(`--part is one of ${parts.map(({ name }) => name).join(", ")}`);
const seconds = Number(/^\d+$/.test(words[0] ?? "") ? words[0] : 300);
const seed = Number(flagValue("--seed") ?? Math.floor(Math.random() * 2 ** 31));
const rounds = flagValue("--rounds");
console.log(`seed ${seed}, ${seconds} s for ${chosen.map(({ name }) => name).join(", ")}`);
for (const part of chosen) {
  const until = Date.now() + (seconds * 1000) / chosen.length;
  const { good, text } = await part.run({ until, seed, rounds: rounds === undefined ? undefined : Number(rounds) });
  console.log(`${part.name}: ${good ? "holds" : "DOES NOT HOLD"}: ${text}`);
  if (!good) process.exitCode = 1;
}
