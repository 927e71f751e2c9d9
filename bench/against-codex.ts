import { join, resolve } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { type RealCodex, realCodex, skipWithoutCodex } from "@quire/testkit";
import type { Comparison } from "./figures.ts";
import { medians } from "./rounds.ts";

const quire = join(import.meta.dirname, "..", "packages", "cli", "bin", "quire");

/** The Codex that goals compare with. */
const newest = codexVersion;

/** Another checkout of Quire to compare with instead of Codex, such as the one before a change: `--before FOLDER`. */
const before = process.argv.includes("--before") ? process.argv[process.argv.indexOf("--before") + 1] : undefined;

/** Medians of the same code differ by about as much. */
const atMostBefore = 1.03;

/** Names of our server and of its rivals: another checkout, or the versions of Codex that are installed. */
export async function contestants(versions: readonly string[] = [newest]): Promise<string[]> {
  const names = ["quire"];
  if (before !== undefined) return [...names, "before"];
  for (const version of versions) {
    const skip = await skipWithoutCodex(version);
    if (skip) console.error(`\n*** SKIPPED: Codex ${version}: ${skip}\n`);
    else names.push(version);
  }
  return names;
}

/** A server of that name, not started, with a home of its own. Without a model, none may be asked. */
export async function prepare(name: string, model = "http://127.0.0.1:9"): Promise<RealCodex> {
  const command = { quire, before: before && resolve(before, "packages/cli/bin/quire") }[name];
  const codex = await realCodex(command === undefined ? name : newest, { model });
  return command === undefined ? codex : { ...codex, command };
}

/** Starts a program that is a model, and returns the base URL that it prints. It ends with this process. */
export async function startModel(program: string, ...args: readonly string[]): Promise<string> {
  const model = Bun.spawn([process.execPath, program, ...args], { stdout: "pipe", stderr: "inherit" });
  // Ended also after a failure; until then it does not keep this process alive.
  model.unref();
  process.once("exit", () => void model.kill());
  return new TextDecoder().decode((await model.stdout.getReader().read()).value).trim();
}

/** A comparison without its figures. */
export interface Question<Sample> extends Pick<Comparison, "title" | "unit"> {
  /** Number of messages, requests or turns in a run. Default 1. */
  readonly count?: number;
  readonly figure: (sample: Sample) => number;
}

function againstBefore({
  quire: ours = 0,
  before: theirs = 0,
}: Record<string, number>): Pick<Comparison, "goal" | "met"> {
  const ratio = ours / theirs;
  return { goal: `at most ${atMostBefore} × before; it is ${ratio.toFixed(3)} ×`, met: ratio <= atMostBefore };
}

/** Judges samples of ours by those of the newest Codex, or of another checkout. */
export class AgainstCodex<Sample> {
  readonly #samples: ReadonlyMap<string, readonly Sample[]>;

  constructor(samples: ReadonlyMap<string, readonly Sample[]>) {
    this.#samples = samples;
  }

  /** Ours is to be the smaller. */
  ahead(question: Question<Sample>): Comparison {
    return this.#judge(question, "ahead of", (ratio) => ratio < 1);
  }

  /** Ours is to be at most that part of Codex's. */
  atMost(factor: number, question: Question<Sample>): Comparison {
    return this.#judge(question, `at most ${factor} ×`, (ratio) => ratio <= factor);
  }

  #judge(
    { figure, count = 1, ...named }: Question<Sample>,
    goal: string,
    isMet: (ratio: number) => boolean,
  ): Comparison {
    const times = medians(this.#samples, figure);
    if (before !== undefined) return { ...named, count, times, ...againstBefore(times) };
    const ratio = (times.quire ?? Number.POSITIVE_INFINITY) / (times[newest] ?? 0);
    return {
      ...named,
      count,
      times,
      goal: `${goal} Codex ${newest}; it is ${ratio.toFixed(3)} ×`,
      met: isMet(ratio),
    };
  }
}
