import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { codexVersion } from "@quire/protocol/version";
import { mockResponses, type Random, random, realCodex } from "@quire/testkit";
import { type Bounds, noneOf, type Part } from "../part.ts";
import { type Told, Victim } from "./server.ts";
import { deadLocks, orphansOf } from "./traces.ts";
import { answer, besides, hooks, mcpToml, turnKinds } from "./work.ts";

const defaultKills = 1000;
/** Servers at a time, each with a home of its own. */
const homes = 4;
/** From before a turn has begun to after it has ended. */
const longestMs = 120;

/** The traces that kills have left. */
interface Traces {
  kills: number;
  readonly orphans: string[];
  readonly locks: string[];
  readonly lost: string[];
  readonly names: string[];
}

/** Servers are killed at random moments of all kinds of work: nothing runs on, nothing is locked, nothing is lost. */
export const kills: Part = {
  name: "kills",
  share: 5,
  async run(bounds: Bounds) {
    const traces: Traces = { kills: 0, orphans: [], locks: [], lost: [], names: [] };
    const each = Math.ceil((bounds.rounds ?? defaultKills) / homes);
    const runs = Array.from({ length: homes }, (_, at) =>
      killOver(random(bounds.seed + at), { ...bounds, each }, traces),
    );
    await Promise.all(runs);
    const { kills, ...left } = traces;
    for (const [kind, found] of Object.entries(left)) {
      for (const text of found.slice(0, 10)) console.log(`  ${kind}: ${text.slice(0, 400)}`);
    }
    const times = {
      orphans: left.orphans.length,
      locks: left.locks.length,
      "lost items": left.lost.length,
      "wrong names": left.names.length,
    };
    return [noneOf({ title: `${kills} kills at random moments of all kinds of work`, count: kills, times })];
  },
};

/** Kills the servers of one home, one after the other, and looks at what they leave. */
async function killOver(dice: Random, bounds: Bounds & { readonly each: number }, traces: Traces): Promise<void> {
  await using mock = await mockResponses();
  mock.fallback((request) => answer(request));
  await using codex = await realCodex(codexVersion, { model: mock, toml: mcpToml });
  writeFileSync(join(codex.home, "hooks.json"), JSON.stringify(hooks));
  const threads = new Map<string, Told>();
  await trustHooks(await Victim.start(codex, threads), codex.cwd);
  traces.orphans.push(...(await orphansOf(codex)));
  for (let round = 0; round < bounds.each && Date.now() < bounds.until; round++) {
    const victim = await Victim.start(codex, threads);
    await look(victim, dice, threads, traces);
    const threadId = dice.chance(0.3)
      ? await victim.newThread()
      : ([...threads.keys()].at(-1) ?? (await victim.newThread()));
    await work(victim, { dice, threadId, round });
    await victim.kill();
    traces.kills += 1;
    traces.orphans.push(...(await orphansOf(codex)));
  }
  const last = await Victim.start(codex, threads);
  for (const [id, told] of threads) if (told.exists) record(traces, await last.check(id, told));
  traces.locks.push(...(await deadLocks(codex.home)));
  await last.kill();
  traces.orphans.push(...(await orphansOf(codex)));
}

async function trustHooks(victim: Victim, cwd: string): Promise<void> {
  const { data } = (await victim.rpc.request("hooks/list", { cwds: [cwd] })) as {
    data: { hooks: { key: string; currentHash: string }[] }[];
  };
  const state = data.flatMap((each) => each.hooks).map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
  const value = Object.fromEntries(state);
  await victim.rpc.request("config/value/write", { keyPath: "hooks.state", value, mergeStrategy: "upsert" });
  await victim.kill();
}

/** Checks one thread of those that must be there, and continues with it. */
async function look(victim: Victim, dice: Random, threads: Map<string, Told>, traces: Traces): Promise<void> {
  const there = [...threads].filter(([, told]) => told.exists);
  // Those that never began are gone.
  for (const [id, told] of threads) if (!told.exists) threads.delete(id);
  if (there.length === 0) return;
  const [id, told] = dice.pick(there);
  threads.delete(id);
  threads.set(id, told);
  record(traces, await victim.check(id, told));
}

function record(traces: Traces, { lost, names }: { lost: string[]; names: string[] }): void {
  traces.lost.push(...lost);
  traces.names.push(...names);
}

/** Works on a thread until it ends or the time comes. */
async function work(
  victim: Victim,
  { dice, threadId, round }: { dice: Random; threadId: string; round: number },
): Promise<void> {
  const running = [victim.turn(threadId, `${dice.pick(turnKinds)} ${round}`)];
  if (dice.chance(0.5)) running.push(victim.rename(threadId, `name ${round}`));
  const beside = besides[dice.pick(Object.keys(besides))];
  if (beside && dice.chance(0.5)) void victim.try(...beside(threadId));
  const ended = Promise.all(running);
  const delay = dice.next() * longestMs;
  await Promise.race([ended, dice.chance() ? victim.busy : Bun.sleep(delay)]);
  await Promise.race([ended, Bun.sleep(delay / 4)]);
}
