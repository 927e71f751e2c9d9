/**
 * The client between a bare loop and the clients one would take instead: against one scripted server for a long turn, many
 * calls and a cold start, and against the real Codex for whole turns. Every run is a process of its own.
 */
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { mockResponses, realCodex, reply, skipWithoutCodex } from "@quire/testkit";
import { type Comparison, report } from "../figures.ts";
import { Contestants, type Runtime } from "../processes.ts";
import { inRounds, medians } from "../rounds.ts";
import { installPeers, peersFolder } from "./peers.ts";
import { calls, deltas, inFlight, wholeTurns } from "./sizes.ts";

const runtimes: readonly Runtime[] = ["bun", "node"];
const maxPeakMb = 150;
const turnPeers = [
  "vscode-jsonrpc",
  "json-rpc-2.0",
  "ai-sdk-provider-codex-cli",
  "ai-sdk-provider-codex-app-server",
] as const;

interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const rounds = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 5);
const server = [process.execPath, join(import.meta.dirname, "scripted-server.mjs"), codexVersion];

const installed = installPeers();
using contestants = await Contestants.build([
  import.meta.resolve("./contestants.ts"),
  import.meta.resolve("./cold-bare.ts"),
  import.meta.resolve("./cold-quire.ts"),
  import.meta.resolve("./whole-turns.ts"),
]);

const comparisons: Comparison[] = [];
for (const runtime of runtimes) comparisons.push(...(await compareTurns(runtime)));
for (const runtime of runtimes) comparisons.push(await compareCalls(runtime));
for (const runtime of runtimes) comparisons.push(await compareColdStarts(runtime));
comparisons.push(...(await compareWholeTurns()));

report({
  name: "client",
  about:
    "CodexClient with its default checks, against a scripted server in a process of its own, over pipes. A bare loop only splits lines and parses them; peers are used as published.",
  comparisons,
});

/** A turn of very many deltas, each consumed, and its result. */
async function compareTurns(runtime: Runtime): Promise<Comparison[]> {
  const names = ["bare", "quire", ...turnPeers.filter((name) => !name.startsWith("ai-sdk") || installed.has(name))];
  const expected = Array.from({ length: deltas }, (_, n) => `word ${n} `.length).reduce((sum, each) => sum + each);
  const able = await thoseThatWork(names, runtime);
  const samples = await inRounds(able, rounds, async (name) => {
    const sample = await runContestant<Sample & { characters: number }>(runtime, "turn", name);
    if (sample.characters !== expected) throw new Error(`${name} got ${sample.characters} of ${expected} characters`);
    return sample;
  });
  const title = `${runtime}: a turn of ${deltas.toLocaleString("en")} deltas`;
  const peak = medians(samples, ({ peakMb }) => peakMb).quire ?? Number.POSITIVE_INFINITY;
  const wall = atMost(
    1.3,
    medians(samples, ({ wallMs }) => wallMs),
  );
  const cpu = atMost(
    1.3,
    medians(samples, ({ cpuMs }) => cpuMs),
  );
  return [
    { title: `${title}, wall`, count: deltas, ...wall },
    {
      title: `${title}, CPU of the client's process`,
      count: deltas,
      ...cpu,
      goal: `${cpu.goal}; peak memory under ${maxPeakMb} MB (it is ${peak.toFixed(0)} MB)`,
      met: cpu.met && peak < maxPeakMb,
    },
  ];
}

/** A peer that does not run on a runtime, or loses what the server sends, is left out aloud. */
async function thoseThatWork(names: readonly string[], runtime: Runtime): Promise<string[]> {
  const able: string[] = [];
  for (const name of names) {
    try {
      await runContestant(runtime, "turn", name);
      able.push(name);
    } catch (error) {
      if (name === "bare" || name === "quire") throw error;
      console.error(`\n*** SKIPPED on ${runtime}: ${name}: ${(error as Error).message}\n`);
    }
  }
  return able;
}

/** Small requests, many in flight. */
async function compareCalls(runtime: Runtime): Promise<Comparison> {
  const names = ["bare", "bare, batched", "quire", "json-rpc-2.0"];
  const samples = await inRounds(names, rounds, (name) => runContestant<Sample>(runtime, "calls", name));
  const times = medians(samples, ({ wallMs }) => wallMs);
  const { bare = 0, quire = 0, "bare, batched": batched = 0, ...peers } = times;
  const share = bare / quire;
  return {
    title: `${runtime}: requests, ${inFlight} in flight: ${calls.toLocaleString("en")}`,
    count: calls,
    times,
    goal: `at least 0.7 × the bare loop's rate (it is ${share.toFixed(2)} ×, ${(batched / quire).toFixed(2)} × the batched one), and ahead of each library`,
    met: share >= 0.7 && Object.values(peers).every((ms) => quire < ms),
  };
}

/** From the start of a process to the reply to `initialize`, with the server's own start in between. */
async function compareColdStarts(runtime: Runtime): Promise<Comparison> {
  const samples = await inRounds(["bare", "quire"], rounds * 4, (name) =>
    contestants.timeToOutput(runtime, `cold-${name}.mjs`, server),
  );
  const title = `${runtime}: process start to connected, import and the server's start included`;
  return {
    title,
    count: 1,
    ...atMost(
      1.3,
      medians(samples, (ms) => ms),
    ),
  };
}

/** Turns on the real Codex with a model that answers at once. */
async function compareWholeTurns(): Promise<Comparison[]> {
  const peer = "@openai/codex-sdk";
  if (!installed.has(peer) || (await skipWithoutCodex(codexVersion))) return [];
  await using model = await mockResponses({ fallback: reply().text("Hello") });
  await using codex = await realCodex(codexVersion, { model });
  const found: Comparison[] = [];
  for (const runtime of runtimes) {
    const samples = await inRounds(["quire", peer], rounds, (name) =>
      contestants.run<number>(runtime, "whole-turns.mjs", [name, codex.command, codex.cwd, peersFolder], {
        CODEX_ENV: JSON.stringify(codex.env),
      }),
    );
    const title = `${runtime}: ${wholeTurns} turns on Codex ${codexVersion}, its start included`;
    found.push({ title, count: wholeTurns, ...ahead(medians(samples, (ms) => ms)) });
  }
  return found;
}

function runContestant<Result>(runtime: Runtime, kind: string, name: string): Promise<Result> {
  return contestants.run(runtime, "contestants.mjs", [kind, name, peersFolder, ...server], { DELTAS: String(deltas) });
}

function atMost(limit: number, times: Record<string, number>): Pick<Comparison, "times" | "goal" | "met"> {
  const { bare = 0, quire = 0 } = times;
  const { goal, met } = ahead(times);
  const ratio = quire / bare;
  const addition = Object.keys(times).length > 2 ? `, and ${goal}` : "";
  return {
    times,
    goal: `at most ${limit} × the bare loop (it is ${ratio.toFixed(2)} ×)${addition}`,
    met: ratio <= limit && met,
  };
}

function ahead(times: Record<string, number>): Pick<Comparison, "times" | "goal" | "met"> {
  const { bare: _bare, quire = 0, ...peers } = times;
  const factors = Object.entries(peers).map(([name, ms]) => `${name} takes ${(ms / quire).toFixed(1)} × as long`);
  return {
    times,
    goal: `ahead of each peer (${factors.join(", ")})`,
    met: Object.values(peers).every((ms) => quire < ms),
  };
}
