import { type Gateway, startGateway } from "@quire/gateway";
import type { Thread } from "@quire/protocol";
import { type Random, type RealCodex, random } from "@quire/testkit";
import { prepare, startModel } from "../../against-codex.ts";
import { orphansOf, serversOf } from "../kills/traces.ts";
import { type Bounds, noneOf, type Part } from "../part.ts";
import { type EndedTurn, StormPage } from "./page.ts";

const pagesAtOnce = 16;
const hubCount = 2;
/** Between two kills of servers. */
const longestPeaceMs = 2000;
const lookMs = 50;
/** A request that takes longer is not answered. */
const patienceMs = 30_000;

/** Counts of a storm. */
interface Tally {
  pages: number;
  kills: number;
  unanswered: number;
  readonly ended: Map<string, EndedTurn>;
}

/** Pages come and go, and servers are killed, all at once: every request is answered, and no turn that ended is lost. */
export const storm: Part = {
  name: "storm",
  share: 1.5,
  async run({ until, seed }: Bounds) {
    const model = await startModel(`${import.meta.dirname}/../../server/model-server.ts`);
    await using homes = new AsyncDisposableStack();
    const servers: RealCodex[] = [];
    for (let at = 0; at < hubCount; at++) servers.push(homes.use(await prepare("quire", model)));
    const gateway = startGateway({
      page: async () => [{ path: "/", type: "text/html; charset=utf-8", body: new Uint8Array() }],
      discovery: false,
      reconnect: { baseMs: 20, maxMs: 200, attempts: 1000 },
      spawned: servers.map(({ command, args, cwd, env }) => ({ command: [command, ...args], cwd, env })),
    });
    await gateway.ready();
    const tally: Tally = { pages: 0, kills: 0, unanswered: 0, ended: new Map() };
    const visits = Array.from({ length: pagesAtOnce }, async (_, at) => {
      const dice = random(seed + at);
      while (Date.now() < until) await visit(gateway, dice, tally);
    });
    await Promise.all([...visits, killServers(servers, { dice: random(seed - 1), until, tally })]);
    const lost = await lostTurns(gateway, tally);
    await gateway.close();
    const orphans = (await Promise.all(servers.map(orphansOf))).flat();
    for (const text of [...lost, ...orphans].slice(0, 10)) console.log(`  ${text.slice(0, 400)}`);
    const title = `${tally.pages} visits of pages with ${tally.ended.size} turns, while servers were killed ${tally.kills} times`;
    const times = { "without an answer": tally.unanswered, "lost turns": lost.length, orphans: orphans.length };
    return [noneOf({ title, count: tally.pages, times })];
  },
};

/** Runs a page from its opening to its end: on a thread of its own or of others, and gone at any moment. */
async function visit(gateway: Gateway, dice: Random, tally: Tally): Promise<void> {
  const page = await StormPage.open(gateway, (turn) => void tally.ended.set(turn.turnId, turn));
  tally.pages += 1;
  const hub = dice.pick(page.hubs).id;
  const stays = work(page, { hub, dice, tally });
  const isHasty = dice.chance(0.3);
  if (isHasty) await Promise.race([stays, Bun.sleep(dice.next() * 100)]);
  else if (!(await Promise.race([stays.then(() => true), Bun.sleep(patienceMs).then(() => false)])))
    tally.unanswered += page.unanswered;
  page.leave(dice.chance() ? "close" : "terminate");
}

async function work(
  page: StormPage,
  { hub, dice, tally }: { readonly hub: string; readonly dice: Random; readonly tally: Tally },
): Promise<void> {
  if (!(await page.ready(hub))) return;
  const known = [...tally.ended.values()].filter((turn) => turn.hub === hub).map(({ threadId }) => threadId);
  const threadId = known.length > 0 && dice.chance() ? dice.pick(known) : await newThread(page, hub);
  if (threadId === undefined) return;
  await page.request(hub, "thread/resume", { threadId });
  for (let turns = dice.int(1, 4); turns > 0; turns--) {
    const input = [{ type: "text", text: `deltas ${dice.int(1, 500)}` }];
    const started = (await page.request(hub, "turn/start", { threadId, input })) as
      | { turn: { id: string } }
      | undefined;
    if (started) await page.turnOver(hub, started.turn.id);
    await page.request(hub, "thread/list", { limit: 20 });
  }
}

async function newThread(page: StormPage, hub: string): Promise<string | undefined> {
  const started = (await page.request(hub, "thread/start", {})) as { thread: { id: string } } | undefined;
  return started?.thread.id;
}

async function killServers(
  servers: readonly RealCodex[],
  { dice, until, tally }: { readonly dice: Random; readonly until: number; readonly tally: Tally },
): Promise<void> {
  while (Date.now() < until) {
    await Bun.sleep(dice.next() * longestPeaceMs);
    for (const pid of serversOf(dice.pick(servers))) {
      process.kill(pid, "SIGKILL");
      tally.kills += 1;
    }
  }
}

/** The turns whose end some page was told of, and that are not stored so. */
async function lostTurns(gateway: Gateway, { ended }: Tally): Promise<string[]> {
  const lost: string[] = [];
  const page = await StormPage.open(gateway, () => undefined);
  for (const { id: hub } of page.hubs) await serves(page, hub);
  const threads = new Map<string, Thread>();
  for (const { hub, threadId, turnId, status } of ended.values()) {
    const read = threads.get(threadId) ?? (await readThread(page, hub, threadId));
    if (read) threads.set(threadId, read);
    const found = read?.turns.find((turn) => turn.id === turnId)?.status;
    if (found !== status) lost.push(`${threadId}: turn ${turnId} is ${found}, not ${status}`);
  }
  page.leave("close");
  return lost;
}

/** Waits until a hub answers: its server may have been killed a moment ago, and nobody knows yet. */
async function serves(page: StormPage, hub: string): Promise<void> {
  while (await page.ready(hub)) {
    if ((await page.request(hub, "thread/loaded/list", {})) !== undefined) return;
    await Bun.sleep(lookMs);
  }
}

async function readThread(page: StormPage, hub: string, threadId: string): Promise<Thread | undefined> {
  const read = (await page.request(hub, "thread/read", { threadId, includeTurns: true })) as
    | { thread: Thread }
    | undefined;
  return read?.thread;
}
