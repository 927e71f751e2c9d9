import { commonDifferences } from "./common-differences.ts";
import { realVersion } from "./contestants.ts";
import { type MethodLine, methodLines } from "./coverage.ts";
import type { Outcome } from "./run-scenario.ts";
import type { DeclaredDifference } from "./scenario.ts";

/** The text of `docs/conformance.md`. It is the same for every run that finds the same differences. */
export function report(outcomes: readonly Outcome[]): string {
  const showings = [...collect(outcomes)];
  const isGeneral = (declared: DeclaredDifference) => commonDifferences.includes(declared);
  const lines = methodLines(outcomes);
  const same = outcomes.filter((outcome) => ownReasons(outcome).size === 0).length;
  return `# Conformance

<!-- Made by \`bun conformance/run.ts --record\`. Do not edit. -->

Each scenario takes the real Codex ${realVersion} and Quire's app-server through the same requests, with a model that says
the same to both. Compared are every reply, every notification in its order, and what the model was sent: roles, kinds and
order of messages, tools and their parameters, flags. Not compared are ids, times, paths, and the wording of prompts and
tool descriptions, which are Quire's own.

Of ${outcomes.length} scenarios ${same} show no difference but those that show in many. A difference that is not listed here fails the
tests, and so does a listed one that is gone.

## Differences in many scenarios

${table(showings.filter(([declared]) => isGeneral(declared)))}

## Further differences

${table(showings.filter(([declared]) => !isGeneral(declared)))}

## Methods

Every method of the protocol: ${count(lines, "request")} requests of clients, ${count(lines, "notification")} notifications, ${count(lines, "question")} requests of the server.

| method | verdict | why | scenarios |
|---|---|---|---|
${lines.map(methodRow).join("\n")}

## Scenarios

| scenario | what it covers | further differences |
|---|---|---|
${outcomes.map(row).join("\n")}
`;
}

function count(lines: readonly MethodLine[], kind: MethodLine["kind"]): number {
  return lines.filter((line) => line.kind === kind).length;
}

function methodRow({ name, verdict, why, scenarios }: MethodLine): string {
  return `| \`${name}\` | ${verdict} | ${cell(why)} | ${some(scenarios)} |`;
}

/** An occurrence of a difference. */
interface Showing {
  readonly places: Set<string>;
  readonly scenarios: Set<string>;
}

function collect(outcomes: readonly Outcome[]): Map<DeclaredDifference, Showing> {
  const showings = new Map<DeclaredDifference, Showing>();
  for (const { scenario, verdict } of outcomes) {
    for (const { declared, found } of verdict.expected) {
      const showing = showings.get(declared) ?? { places: new Set(), scenarios: new Set() };
      showings.set(declared, showing);
      showing.scenarios.add(scenario.name);
      for (const { where } of found) showing.places.add(place(where));
    }
  }
  return showings;
}

function table(showings: readonly (readonly [DeclaredDifference, Showing])[]): string {
  if (showings.length === 0) return "None.";
  const rows = showings.map(([{ reason }, { places, scenarios }]) => {
    const [first = ""] = [...places].sort();
    return `| ${cell(reason)} | ${cell(first)} | ${some([...scenarios])} |`;
  });
  return ["| why | where, for example | scenarios |", "|---|---|---|", ...rows].join("\n");
}

function row(outcome: Outcome): string {
  const { name, covers } = outcome.scenario;
  const { size } = ownReasons(outcome);
  return `| \`${name}\` | ${cell(covers)} | ${size === 0 ? "none" : size} |`;
}

function ownReasons({ verdict }: Outcome): Set<string> {
  const own = verdict.expected
    .map(({ declared }) => declared)
    .filter((declared) => !commonDifferences.includes(declared));
  return new Set(own.map(({ reason }) => reason));
}

/** Without the names of threads, turns and items, and without long texts. */
function place(where: string): string {
  const words = where.split(" ").filter((word) => !/^(thread|turn|call|id|msg)[-_]\d/.test(word));
  const text = words.join(" ").replaceAll("`", "'");
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``;
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return names.length > 3 ? `${shown.join(", ")} and ${names.length - 3} more` : shown.join(", ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
