import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A comparison of contestants at the same work. */
export interface Comparison {
  readonly title: string;
  /** Number of messages, requests or turns in a run. */
  readonly count: number;
  /** Unit of the figures. Default `ms`. */
  readonly unit?: "ms" | "MB" | "kB" | "%" | "breaks" | "count" | undefined;
  /** Medians. */
  readonly times: Readonly<Record<string, number>>;
  /** The goal, and whether it was reached. */
  readonly goal: string;
  readonly met: boolean;
}

/** Results of a benchmark. */
export interface Figures {
  /** The folder below `bench/`. */
  readonly name: string;
  readonly about: string;
  readonly comparisons: readonly Comparison[];
}

interface Recorded extends Figures {
  readonly machine: string;
  readonly date: string;
}

const docs = join(import.meta.dirname, "..", "docs");
const folder = join(docs, "figures");

/**
 * Prints the figures, as JSON with `--json` on the command line, and sets the exit code to whether all goals were met.
 * With `--record` they are kept, and `docs/benchmarks.md` is renewed.
 */
export function report(figures: Figures): void {
  const met = figures.comparisons.every((each) => each.met);
  process.exitCode = met ? 0 : 1;
  const json = process.argv.includes("--json");
  if (json) console.log(JSON.stringify(figures, null, 2));
  else print(figures);
  if (process.argv.includes("--record")) record(figures);
  if (!json) console.log(met ? "\nAll goals met." : "\nA goal was missed.");
}

function print(figures: Figures): void {
  for (const { title, count, unit = "ms", times, goal, met } of figures.comparisons) {
    console.log(`\n${title}`);
    for (const [name, value] of Object.entries(times)) {
      const rate = unit === "ms" ? `${perSecond(count, value).padStart(10)}/s` : "";
      console.log(`  ${name.padEnd(16)} ${figure(value, unit).padStart(8)} ${unit}  ${rate}`);
    }
    console.log(`  ${met ? "met" : "MISSED"}: ${goal}`);
  }
}

function record(figures: Figures): void {
  const date = new Date().toISOString().slice(0, 10);
  const recorded: Recorded = { ...figures, machine: describeMachine(), date };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${figures.name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
  writeFileSync(join(docs, "benchmarks.md"), renderPage());
  console.error(`\nRecorded in docs/figures/${figures.name}.json and docs/benchmarks.md`);
}

/** The whole page, from every file of figures. */
function renderPage(): string {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort();
  const all = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Recorded);
  return `# Benchmarks

Written by \`npm run bench -- NAME --record\` from [figures/](figures); do not edit. Contestants take turns, and the median
of their times is given. Figures of different machines must not be compared.
${all.map(renderSection).join("")}`;
}

function renderSection({ name, about, machine, date, comparisons }: Recorded): string {
  return `\n## ${name}\n\n${about} Recorded on ${date}: ${machine}.\n${comparisons.map(renderTable).join("")}`;
}

function renderTable({ title, count, unit = "ms", times, goal, met }: Comparison): string {
  const timed = unit === "ms";
  const rows = Object.entries(times).map(
    ([name, value]) => `| ${name} | ${figure(value, unit)} |${timed ? ` ${perSecond(count, value)} |` : ""}`,
  );
  const head = timed ? "| | ms | per second |\n|---|--:|--:|" : `| | ${unit} |\n|---|--:|`;
  return `\n### ${title}\n\n${head}\n${rows.join("\n")}\n\n${met ? "Met" : "Missed"}: ${goal}.\n`;
}

const figure = (value: number, unit: Comparison["unit"]) =>
  value.toFixed(unit === "breaks" || unit === "count" ? 0 : 1);

const perSecond = (count: number, ms: number) => (ms > 0 ? Math.round((count / ms) * 1000).toLocaleString("en") : "–");

function describeMachine(): string {
  const node = Bun.spawnSync(["node", "--version"]).stdout.toString().trim();
  return `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${node}, Bun v${Bun.version}`;
}
