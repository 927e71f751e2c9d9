import type { RealCodex } from "@quire/testkit";
import type { Comparison } from "../figures.ts";
import { median } from "../stats.ts";
import { storeThreads } from "../stored-threads.ts";
import { timed } from "./measure.ts";
import { busyDeltas, busyThreads, loadedThreads, storedItems, storedThreads } from "./sizes.ts";
import { Subject } from "./subject.ts";

type Prepare = (name: string) => Promise<RealCodex>;

/** Longest first page of a long list. */
const listGoalMs = 5;

/** Measures growth: loaded threads, turns at once, stored threads, a long thread. Ours only; the real one takes minutes. */
export async function scale(prepare: Prepare): Promise<Comparison[]> {
  return [await manyLoaded(prepare), await manyBusy(prepare), await longList(prepare), await longThread(prepare)];
}

async function manyLoaded(prepare: Prepare): Promise<Comparison> {
  await using codex = await prepare("quire");
  await using subject = await Subject.spawn(codex);
  const before = subject.residentMb;
  const ms = await timed(async () => {
    for (let n = 0; n < loadedThreads; n++) await subject.startThread();
  });
  const grown = subject.residentMb - before;
  const goal = `no more than 0.5 MB each; they took ${(grown / loadedThreads).toFixed(3)} MB each`;
  return {
    title: `${loadedThreads} threads started one by one`,
    count: loadedThreads,
    times: { quire: ms },
    goal,
    met: grown / loadedThreads <= 0.5,
  };
}

async function manyBusy(prepare: Prepare): Promise<Comparison> {
  await using codex = await prepare("quire");
  await using subject = await Subject.spawn(codex);
  const threads = await Promise.all(Array.from({ length: busyThreads }, () => subject.startThread()));
  const ms = await timed(() => Promise.all(threads.map((id) => subject.turn(id, `deltas ${busyDeltas}`))));
  const goal = `every turn completes; memory afterwards ${subject.residentMb.toFixed(0)} MB`;
  return {
    title: `${busyThreads} turns at once, ${busyDeltas} deltas each`,
    count: busyThreads * busyDeltas,
    times: { quire: ms },
    goal,
    met: true,
  };
}

async function longList(prepare: Prepare): Promise<Comparison> {
  await using codex = await prepare("quire");
  storeThreads(codex, storedThreads);
  await using subject = await Subject.spawn(codex);
  const first = await timed(() => subject.request("thread/list", { limit: 25 }));
  const warm: number[] = [];
  for (let n = 0; n < 20; n++) warm.push(await timed(() => subject.request("thread/list", { limit: 25 })));
  const ms = median(warm);
  const goal = `the first page in under ${listGoalMs} ms; the very first, which builds the index, took ${first.toFixed(0)} ms`;
  return {
    title: `First page of ${storedThreads.toLocaleString("en")} stored threads`,
    count: 1,
    times: { quire: ms },
    goal,
    met: ms < listGoalMs,
  };
}

async function longThread(prepare: Prepare): Promise<Comparison> {
  const times: Record<string, number> = {};
  let items = 0;
  await using codex = await prepare("quire");
  const [id] = storeThreads(codex, 1, storedItems);
  await using subject = await Subject.spawn(codex);
  times.quire = await timed(async () => {
    const { thread } = await subject.request<{ thread: { turns: { items: unknown[] }[] } }>("thread/resume", {
      threadId: id,
    });
    items = thread.turns.reduce((sum, turn) => sum + turn.items.length, 0);
  });
  return {
    title: `Resume of a thread with ${storedItems.toLocaleString("en")} items`,
    count: storedItems,
    times,
    goal: `all items come; ${items} did`,
    met: items === storedItems,
  };
}
