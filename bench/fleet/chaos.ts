import { isDeepStrictEqual } from "node:util";
import type { Thread } from "@quire/protocol";
import { eventually, mockResponses, random, reply, tempDir } from "@quire/testkit";
import { postgresServer } from "@quire/testkit/postgres";
import { FleetClient, type ToldThread } from "./client.ts";
import { FleetServer } from "./node.ts";

/** Bounds of a run. */
export interface ChaosOptions {
  readonly seed: number;
  readonly servers: number;
  readonly threads: number;
  readonly faults: number;
  readonly leaseSeconds: number;
}

/** The outcome of a run: everything but the first two must be empty. */
export interface ChaosResult {
  readonly turns: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Items and ends that a client was told and that are not stored. */
  readonly lost: readonly string[];
  /** Turns of which more than one owner wrote lines, and lines of an owner that had lost the thread. */
  readonly twice: readonly string[];
  /** Threads that some server cannot resume when the leases of the dead are over. */
  readonly unreachable: readonly string[];
}

const thinkingMs = 400;

const kinds = ["kill", "hold", "database"] as const;

/** Runs turns on threads of a fleet while its servers and its database fail, and checks the log against what was told. */
export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const { int, pick } = random(options.seed);
  await using folder = await tempDir("quire-fleet-");
  await using model = await mockResponses();
  // Long enough that a fault meets most threads in the middle of a turn.
  model.fallback(() => reply().text("Working on it.").delay(thinkingMs).text("Done."));
  await using postgres = await postgresServer();
  const storeUrl = await postgres.createDatabase();
  const place = { folder: folder.path, modelUrl: model.url, storeUrl, leaseSeconds: options.leaseSeconds };
  const servers = Array.from({ length: options.servers }, (_, index) => new FleetServer(`node-${index + 1}`, place));
  try {
    await Promise.all(servers.map((server) => server.start()));
    const threads = await makeThreads(servers, options.threads);
    let turns = 0;
    let isOver = false;
    // Two for each thread: while one waits for a server that is held, the other goes on elsewhere.
    const work = [...threads.values(), ...threads.values()].map(async ({ id }) => {
      for (let number = 1; !isOver; number++) {
        const server = servers[int(0, servers.length - 1)];
        if (!server?.runs || !(await oneTurn(server.url, threads, id, `turn ${number}`))) await Bun.sleep(50);
        else turns++;
      }
    });
    const faults: Record<string, number> = { kill: 0, hold: 0, database: 0 };
    for (let fault = 0; fault < options.faults; fault++) {
      await Bun.sleep(int(100, 700));
      const kind = pick(kinds);
      faults[kind] = (faults[kind] ?? 0) + 1;
      const server = servers[int(0, servers.length - 1)] as FleetServer;
      if (kind === "database") {
        await postgres.kill();
        await postgres.start();
      } else if (kind === "hold") {
        await server.hold(options.leaseSeconds * 1500);
      } else {
        await server.kill();
        await server.start();
      }
    }
    isOver = true;
    await Promise.all(work);
    const patience = { timeoutMs: 60_000 + options.leaseSeconds * 2000 };
    return {
      turns,
      faults,
      lost: await lostOf(servers, threads, patience),
      twice: await writtenTwice(storeUrl),
      unreachable: await unreachableOf(servers, threads, patience),
    };
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

async function makeThreads(servers: readonly FleetServer[], count: number): Promise<Map<string, ToldThread>> {
  const threads = new Map<string, ToldThread>();
  for (let index = 0; index < count; index++) {
    const client = await FleetClient.connect(servers[index % servers.length]?.url ?? "", threads);
    const id = await client.newThread();
    threads.set(id, { id, items: new Map(), turns: new Map() });
    await client.turn(id, "the first turn", true);
    await client.close();
  }
  return threads;
}

/** True if a turn ran, to whatever end. */
async function oneTurn(
  url: string,
  threads: ReadonlyMap<string, ToldThread>,
  id: string,
  text: string,
): Promise<boolean> {
  try {
    const client = await FleetClient.connect(url, threads);
    const problem = await client.turn(id, text);
    await client.close();
    return problem === undefined;
  } catch {
    return false;
  }
}

async function lostOf(
  [server]: readonly FleetServer[],
  threads: ReadonlyMap<string, ToldThread>,
  patience: { timeoutMs: number },
): Promise<string[]> {
  const client = await FleetClient.connect(server?.url ?? "", new Map());
  const lost: string[] = [];
  for (const told of threads.values()) {
    const read = () =>
      client.rpc.request("thread/read", { threadId: told.id, includeTurns: true }) as Promise<{ thread: Thread }>;
    const { thread } = await eventually(read, { ...patience, what: `thread ${told.id}` });
    for (const [id, status] of told.turns) {
      const found = thread.turns.find((turn) => turn.id === id)?.status;
      if (found !== status) lost.push(`turn ${id} of ${told.id} is ${found}`);
    }
    for (const [key, item] of told.items) {
      const [turnId, itemId] = key.split("/");
      const found = thread.turns.find(({ id }) => id === turnId)?.items.find(({ id }) => id === itemId);
      if (!isDeepStrictEqual(found, item)) lost.push(`item ${key} of ${told.id} is ${JSON.stringify(found)}`);
    }
  }
  await client.close();
  return lost;
}

interface ChunkRow {
  readonly thread: string;
  readonly epoch: number;
  readonly body: string;
}

/** Reads the log: the numbers of owners only grow, and each turn's lines are of one. */
async function writtenTwice(url: string): Promise<string[]> {
  const sql = new Bun.SQL(url, { max: 1 });
  const rows = await sql<ChunkRow[]>`SELECT thread, epoch, body FROM chunks ORDER BY thread, seq`;
  await sql.end();
  const problems: string[] = [];
  const last = new Map<string, number>();
  const owners = new Map<string, number>();
  for (const { thread, epoch, body } of rows) {
    if (epoch < (last.get(thread) ?? 0))
      problems.push(`thread ${thread}: owner ${epoch} wrote after ${last.get(thread)}`);
    last.set(thread, epoch);
    for (const [, turn = ""] of body.matchAll(/"kind":"(?:turn_started|turn_completed)","turnId":"([^"]+)"/g)) {
      const owner = owners.get(turn) ?? epoch;
      if (owner !== epoch) problems.push(`turn ${turn} of ${thread} was run by owners ${owner} and ${epoch}`);
      owners.set(turn, owner);
    }
  }
  return problems;
}

async function unreachableOf(
  servers: readonly FleetServer[],
  threads: ReadonlyMap<string, ToldThread>,
  patience: { timeoutMs: number },
): Promise<string[]> {
  const unreachable: string[] = [];
  for (const server of servers) {
    const client = await FleetClient.connect(server.url, new Map());
    for (const threadId of threads.keys()) {
      const resume = () =>
        client.rpc.request("thread/resume", { threadId, excludeTurns: true }).then(
          () => true,
          () => false,
        );
      await eventually(resume, patience).catch(() => unreachable.push(`${threadId} from ${server.name}`));
    }
    await client.close();
  }
  return unreachable;
}
