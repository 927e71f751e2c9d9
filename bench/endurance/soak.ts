import { type Random, random } from "@quire/testkit";
import type { Bounds, Part } from "./part.ts";
import { Subject } from "./subject.ts";

/** Clients' work that continues at once. */
const workers = 6;
/** The least memory of the last third beside that of the second. */
const maxGrowth = 1.1;
const maxTailMs = 50;

/** Mixed work for long: memory stays flat, and cheap requests are answered soon all the while. */
export const soak: Part = {
  name: "soak",
  share: 2.5,
  async run({ until, seed }: Bounds) {
    const subject = await Subject.start();
    try {
      const [waits, memory] = [[] as number[], [] as number[]];
      let turns = 0;
      const work = async (dice: Random): Promise<void> => {
        while (Date.now() < until) turns += await mixed(subject, dice);
      };
      const probe = async (): Promise<void> => {
        while (Date.now() < until) {
          waits.push(await subject.timed(() => subject.rpc.request("thread/loaded/list", {})));
          memory.push(subject.megabytes);
          await Bun.sleep(10);
        }
      };
      await Promise.all([probe(), ...Array.from({ length: workers }, (_, at) => work(random(seed + at)))]);
      // The first third fills caches, and what the collector has not seen yet counts for nothing.
      const third = Math.floor(memory.length / 3);
      const [second, last] = [memory.slice(third, 2 * third), memory.slice(2 * third)].map((all) => Math.min(...all));
      const tail = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.999)] ?? 0;
      const load = `Mixed load of ${turns} turns`;
      return [
        {
          title: `${load}: the least memory of the server in the second and in the last third`,
          count: turns,
          unit: "MB" as const,
          times: { second: second ?? 0, last: last ?? 0 },
          goal: `the last at most ${maxGrowth} × the second`,
          met: subject.alive && (last ?? Number.POSITIVE_INFINITY) <= maxGrowth * (second ?? 0),
        },
        {
          title: `${load}: ${waits.length} cheap requests meanwhile, less the time in which they waited for a processor`,
          count: 1,
          times: { "99.9 % within": tail, "the slowest": waits.at(-1) ?? 0 },
          goal: `99.9 % within ${maxTailMs} ms`,
          met: tail <= maxTailMs,
        },
      ];
    } finally {
      await subject.end();
    }
  },
};

/** The life of one thread. Returns its turns. */
async function mixed(subject: Subject, dice: Random): Promise<number> {
  const { rpc } = subject;
  const threadId = await subject.thread();
  const turns = dice.int(1, 6);
  for (let n = 0; n < turns; n++)
    await subject.turn(threadId, `deltas ${dice.int(1, 200)} ${"x".repeat(dice.int(1, 5000))}`);
  await rpc.request("thread/read", { threadId, includeTurns: true });
  await rpc.request("thread/list", { limit: 20 });
  if (dice.chance(0.2)) await rpc.request("thread/search", { searchTerm: "word 7" });
  if (dice.chance(0.2)) {
    const { thread } = (await rpc.request("thread/fork", { threadId })) as { thread: { id: string } };
    await rpc.request("thread/delete", { threadId: thread.id });
  }
  await rpc.request(dice.chance(0.5) ? "thread/archive" : "thread/delete", { threadId });
  return turns;
}
