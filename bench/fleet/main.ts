/**
 * A fleet of servers on one database that fail: which of them is killed, held or cut off comes from the seed.
 *
 *   npm run bench -- fleet [FAULTS] [--servers N] [--threads N] [--seed N]
 */
import process from "node:process";
import { chaos } from "./chaos.ts";

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
console.log(`seed ${seed}: ${faults} faults, ${options.servers} servers, ${options.threads} threads`);
const { turns, faults: counted, ...problems } = await chaos(options);
console.log(
  `${turns} turns beside ${Object.entries(counted)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ")}`,
);
for (const [what, found] of Object.entries(problems)) {
  console.log(`${what}: ${found.length}`);
  for (const problem of found.slice(0, 20)) console.log(`  ${problem}`);
}
process.exit(Object.values(problems).every((found) => found.length === 0) ? 0 : 1);
