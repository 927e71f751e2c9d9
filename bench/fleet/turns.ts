import { mockResponses, reply, tempDir } from "@quire/testkit";
import { postgresServer } from "@quire/testkit/postgres";
import type { Comparison } from "../figures.ts";
import { inRounds, medians } from "../rounds.ts";
import { FleetClient } from "./client.ts";
import { FleetServer } from "./node.ts";

/** Turns of one sample. */
const turnsInSample = 20;

interface Sample {
  /** From the request to the end of a turn. */
  readonly turnMs: number;
  /** From the request to the first words. */
  readonly wordsMs: number;
}

/** Compares turns whose threads are files with turns in a database, at the thread's own server and through another. */
export async function turns(rounds: number): Promise<Comparison[]> {
  await using folder = await tempDir("quire-fleet-");
  await using model = await mockResponses();
  model.fallback(() => reply().text(["one ", "two ", "three"]));
  await using postgres = await postgresServer();
  const place = { folder: folder.path, modelUrl: model.url };
  const storeUrl = await postgres.createDatabase();
  const files = new FleetServer("files", place);
  const owner = new FleetServer("owner", { ...place, storeUrl });
  const other = new FleetServer("other", { ...place, storeUrl });
  const servers = [files, owner, other];
  try {
    await Promise.all(servers.map((server) => server.start()));
    const [onFiles, onDatabase] = await Promise.all([newThread(files), newThread(owner)]);
    const run: Record<string, () => Promise<Sample>> = {
      files: () => sample(files, onFiles),
      PostgreSQL: () => sample(owner, onDatabase),
      "PostgreSQL, through another server": () => sample(other, onDatabase),
    };
    const samples = await inRounds(Object.keys(run), rounds, (name) => (run[name] as () => Promise<Sample>)());
    const turnMs = medians(samples, (each) => each.turnMs);
    const wordsMs = medians(samples, (each) => each.wordsMs);
    const more = (of: Record<string, number>, name: string, than: string) => (of[name] ?? 0) - (of[than] ?? 0);
    const through = "PostgreSQL, through another server";
    return [
      {
        title: "a turn, from its request to its end",
        count: turnsInSample,
        times: turnMs,
        goal: "at most 10 ms more than with files",
        met: more(turnMs, "PostgreSQL", "files") <= 10,
      },
      {
        title: "the first words of a turn",
        count: turnsInSample,
        times: wordsMs,
        goal: "at most 5 ms more through another server",
        met: more(wordsMs, through, "PostgreSQL") <= 5,
      },
    ];
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

async function newThread(server: FleetServer): Promise<string> {
  const client = await FleetClient.connect(server.url, new Map());
  const id = await client.newThread();
  await client.turn(id, "first", true);
  await client.close();
  return id;
}

async function sample(server: FleetServer, threadId: string): Promise<Sample> {
  const client = await FleetClient.connect(server.url, new Map());
  await client.rpc.request("thread/resume", { threadId, excludeTurns: true });
  const [turnTimes, wordTimes]: [number[], number[]] = [[], []];
  let began = 0;
  let words = 0;
  client.rpc.on("item/agentMessage/delta", () => {
    words ||= performance.now() - began;
  });
  for (let turn = 0; turn < turnsInSample; turn++) {
    words = 0;
    began = performance.now();
    await client.turn(threadId, "go on", true);
    turnTimes.push(performance.now() - began);
    wordTimes.push(words);
  }
  await client.close();
  return { turnMs: mean(turnTimes), wordsMs: mean(wordTimes) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
