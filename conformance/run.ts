/** `bun conformance/run.ts`: takes the real Codex and ours through the scenarios and compares them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ours, realCodexOf, realVersion } from "./lib/contestants.ts";
import { report } from "./lib/report.ts";
import { runAll, vanishedEverywhere } from "./lib/run-all.ts";
import type { Outcome } from "./lib/run-scenario.ts";
import { scenarios } from "./scenarios/index.ts";

const usage = `Usage: bun conformance/run.ts [--record] [--trace DIR] [--self] [--codex VERSION [--with VERSION]] [NAME ...]

  NAME             only scenarios whose name holds this
  --record         write docs/conformance.md
  --trace DIR      keep what was said, as NAME.real.jsonl and NAME.ours.jsonl
  --codex VERSION  compare with another real Codex than the pinned ${realVersion}
  --with VERSION   compare that Codex with another real one, in place of Quire
  --self           compare the real Codex with itself: what then differs is chance`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: "boolean" },
    self: { type: "boolean" },
    codex: { type: "string" },
    with: { type: "string" },
    trace: { type: "string" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const began = performance.now();
const { codex = realVersion, with: other = values.self ? codex : undefined } = values;
const whole = positionals.length === 0 && other === undefined && codex === realVersion;
const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const outcomes: Outcome[] = [];
const pair = { reference: realCodexOf(codex), challenger: other === undefined ? ours : realCodexOf(other) };
for (const running of runAll(chosen, pair)) outcomes.push(show(await running));
const vanished = whole ? vanishedEverywhere(outcomes) : [];
for (const { at, reason } of vanished) console.log(`✗ declared for all scenarios, but in none: ${at} (${reason})`);
const failed = outcomes.filter(({ complaints }) => complaints.length > 0).length + vanished.length;
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(`${outcomes.length} scenarios, ${failed} failed, in ${seconds} s`);
if (values.record && whole && failed === 0) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "conformance.md"), report(outcomes));
} else if (values.record) {
  console.log("Not recorded: only a whole run without failures is.");
}
process.exit(failed > 0 ? 1 : 0);

function show(outcome: Outcome): Outcome {
  const { scenario, real, ours, complaints } = outcome;
  const times = `${Math.round(real.ms)} ms, ${Math.round(ours.ms)} ms`;
  console.log(`${complaints.length === 0 ? "✓" : "✗"} ${scenario.name} (${times})`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
  if (values.trace === undefined) return outcome;
  mkdirSync(values.trace, { recursive: true });
  const file = join(values.trace, scenario.name.replaceAll("/", "-"));
  writeFileSync(`${file}.real.jsonl`, real.trace);
  writeFileSync(`${file}.ours.jsonl`, ours.trace);
  return outcome;
}
