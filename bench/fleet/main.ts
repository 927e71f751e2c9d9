/**
 * Servers on one database: what it costs, and what they lose when they fail. Which of them is killed, held or cut off comes
 * from the seed.
 *
 *   npm run bench -- fleet [FAULTS] [--servers N] [--threads N] [--rounds N] [--seed N] [--record]
 */
import process from "node:process";
import { report } from "../figures.ts";
import { chaos } from "./chaos.ts";
import { turns } from "./turns.ts";

const words = process.argv.slice(2);
const numberOf = (flag: string, fallback: number): number =>
  words.includes(flag) ? Number(words[words.indexOf(flag) + 1]) : fallback;
const seed = numberOf("--seed", Math.floor(Math.random() * 2 ** 31));
const faults = Number(/^\d+$/.test(words[0] ?? "") ? words[0] : 100);
const options = {
  seed,
  faults,
  servers: numberOf("--servers", 4),
  threads: numberOf("--threads", 40),
  leaseSeconds: 2,
};
const rounds = numberOf("--rounds", 5);
const costs = rounds === 0 ? [] : await turns(rounds);
console.log(`seed ${seed}: ${faults} faults, ${options.servers} servers, ${options.threads} threads`);
const { turns: count, faults: counted, ...problems } = await chaos(options);
console.log(
  `${count} turns beside ${Object.entries(counted)
    .map(([kind, number]) => `${number} ${kind}`)
    .join(", ")}`,
);
for (const [what, found] of Object.entries(problems)) {
  for (const problem of found.slice(0, 20)) console.log(`${what}: ${problem}`);
}
const held = {
  title: `${faults} faults of ${options.servers} servers and their database, ${options.threads} threads`,
  count,
  unit: "count" as const,
  times: {
    lost: problems.lost.length,
    "run twice": problems.twice.length,
    "out of reach": problems.unreachable.length,
  },
  goal: "none of these",
  met: Object.values(problems).every((found) => found.length === 0),
};
const about = `Servers in processes of their own, a PostgreSQL on this machine, and a model that answers at once. Everything random comes from the seed ${seed}.`;
report({ name: "fleet", about, comparisons: [...costs, held] });
