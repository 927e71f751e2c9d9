/**
 * Writes turns to a thread without end, as a server would, and says after each append what is stored by now: the number
 * of the turn and of its lines. Run by `kill.test.ts`, which kills it.
 */

import { newRecord } from "../../src/record/fold.ts";
import { openStore } from "../../src/store/open-store.ts";
import { metaOf, turnLines } from "./support.ts";

const [home = "", threadId = ""] = process.argv.slice(2);
const store = openStore(home);
const opened = await store.open(threadId);
const rollout = opened?.rollout ?? store.create(metaOf(threadId));
const begun = opened?.record ?? newRecord(metaOf(threadId), null);

for (let turn = begun.turns.length; ; turn++) {
  rollout.begin();
  let written = 0;
  for (const line of turnLines(`turn-${turn}-${process.pid}`, `say ${turn} ${"x".repeat((turn * 7919) % 30_000)}`)) {
    rollout.append([line]);
    written++;
    process.stdout.write(`${turn} ${written}\n`);
  }
  rollout.end();
  await new Promise((resolve) => setImmediate(resolve));
}
