import { type Random, random } from "@quire/testkit";
import type { Bounds, Part, Verdict } from "./part.ts";
import { Subject } from "./subject.ts";

/** Clients' work that goes on at once. */
const workers = 6;
const maxMegabytesAMinute = 1;
const maxTailMs = 50;

/** Mixed work for long: memory stays flat, and cheap requests are answered soon all the while. */
export const soak: Part = {
  name: "soak",
  async run({ until, seed }: Bounds): Promise<Verdict> {
    const subject = await Subject.start();
    try {
      const [from, waits, memory] = [Date.now(), [] as number[], [] as [minutes: number, megabytes: number][]];
      let turns = 0;
      const work = async (dice: Random): Promise<void> => {
        while (Date.now() < until) turns += await mixed(subject, dice);
      };
      const probe = async (): Promise<void> => {
        while (Date.now() < until) {
          const at = performance.now();
          await subject.rpc.request("thread/loaded/list", {});
          waits.push(performance.now() - at);
          memory.push([(Date.now() - from) / 60_000, subject.megabytes]);
          await Bun.sleep(10);
        }
      };
      await Promise.all([probe(), ...Array.from({ length: workers }, (_, at) => work(random(seed + at)))]);
      // The first third fills caches.
      const growth = slope(memory.slice(memory.length / 3));
      const tail = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.999)] ?? 0;
      const good = subject.alive && growth <= maxMegabytesAMinute && tail <= maxTailMs;
      const text = `${turns} turns: ${growth.toFixed(2)} MB a minute (at most ${maxMegabytesAMinute}), 99.9 % of cheap requests within ${tail.toFixed(0)} ms (at most ${maxTailMs}), the slowest ${waits.at(-1)?.toFixed(0)}`;
      return { good, text };
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

/** Growth by the least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
