import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { runCommand } from "../../scripts/lib/run-command.ts";
import { root } from "../../scripts/lib/workspace.ts";
import { prepare } from "../against-codex.ts";
import type { Comparison } from "../figures.ts";
import { installOurs } from "../installed.ts";
import { inRounds, medians } from "../rounds.ts";
import { timed } from "./measure.ts";
import { Subject } from "./subject.ts";

interface First {
  /** From the spawn to the reply of the first `thread/start`. */
  readonly threadMs: number;
  /** The first `thread/start` alone. */
  readonly startMs: number;
  /** From the spawn to the end of the first turn. */
  readonly turnMs: number;
}

/** Our server's programs, by the way it was installed, and the home with the bundles of those that keep one. */
interface Ways {
  readonly programs: ReadonlyMap<string, string>;
  readonly user: string;
}

/** Measures a server's first answers: from a checkout, from npm and as one executable, as on any start but the first. */
export async function firstTurn(model: string, rounds: number): Promise<Comparison[]> {
  const { programs, user } = await ways();
  const samples = await inRounds([...programs.keys(), codexVersion], rounds, async (name): Promise<First> => {
    await using codex = await prepare(programs.has(name) ? "quire" : name, model);
    const command = programs.get(name);
    const subject = command === undefined ? codex : { ...codex, command, env: { ...codex.env, HOME: user } };
    const began = performance.now();
    await using server = await Subject.spawn(subject);
    let thread = "";
    const startMs = await timed(async () => {
      thread = await server.startThread();
    });
    const threadMs = performance.now() - began;
    await server.turn(thread, "hello");
    return { startMs, threadMs, turnMs: performance.now() - began };
  });
  const judge = (title: string, most: number, figure: (sample: First) => number): Comparison => {
    const times = medians(samples, figure);
    const ratio = Math.max(...[...programs.keys()].map((name) => times[name] ?? 0)) / (times[codexVersion] ?? 0);
    const goal = `each at most ${most} × Codex ${codexVersion}; the slowest is ${ratio.toFixed(3)} ×`;
    return { title, count: 1, times, goal, met: ratio <= most };
  };
  return [
    judge("From spawn to the end of the first turn", 0.15, (each) => each.turnMs),
    judge("From spawn to the reply of the first thread/start", 0.15, (each) => each.threadMs),
    judge("The first thread/start alone", 1, (each) => each.startMs),
  ];
}

async function ways(): Promise<Ways> {
  const folder = mkdtempSync(join(tmpdir(), "quire-ways-"));
  const user = join(folder, "user");
  mkdirSync(user, { mode: 0o700 });
  const modules = join(await installOurs("cli"), "node_modules");
  const executable = join(folder, "quire");
  await bun([join(root, "scripts", "build-executable.ts"), executable]);
  for (const cli of [join(root, "packages", "cli"), join(modules, "@quire", "cli")])
    await bun([join(cli, "src", "bundle", "build.ts"), user]);
  const programs = new Map([
    ["quire checkout", join(root, "packages", "cli", "bin", "quire")],
    ["quire npm", join(modules, ".bin", "quire")],
    ["quire executable", executable],
  ]);
  return { programs, user };
}

async function bun(args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(process.execPath, args);
  if (code !== 0) throw new Error(`bun ${args.join(" ")} failed:\n${output}`);
}
