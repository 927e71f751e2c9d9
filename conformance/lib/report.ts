import { realVersion } from "./contestants.ts";
import type { Outcome } from "./run-scenario.ts";

/** The text of `docs/conformance.md`. It is the same for every run that finds the same differences. */
export function report(outcomes: readonly Outcome[]): string {
  const same = outcomes.filter(({ verdict }) => verdict.meant.length === 0).length;
  return `# Conformance

<!-- Made by \`bun conformance/run.ts --record\`. Do not edit. -->

Each scenario takes the real Codex ${realVersion} and Quire's app-server through the same requests, with a model that says
the same to both. Compared are every reply, every notification in its order, and what the model was sent: roles, kinds and
order of messages, tools and their parameters, flags. Not compared are ids, times, paths, and the wording of prompts and
tool descriptions, which are Quire's own.

There are ${outcomes.length} scenarios, ${same} of them without any difference. A difference that is not listed here fails the tests, and so
does a listed one that is gone.

## Differences

${differences(outcomes)}

## Scenarios

| scenario | what it covers | differences |
|---|---|---|
${outcomes.map(row).join("\n")}
`;
}

function row({ scenario, verdict }: Outcome): string {
  const reasons = new Set(verdict.meant.map(({ declared }) => declared.reason));
  return `| \`${scenario.name}\` | ${cell(scenario.covers)} | ${reasons.size === 0 ? "none" : reasons.size} |`;
}

/** By reason, since one reason may show in many scenarios. */
function differences(outcomes: readonly Outcome[]): string {
  const byReason = new Map<string, Showing>();
  for (const { scenario, verdict } of outcomes) {
    for (const { declared, found } of verdict.meant) {
      const showing = byReason.get(declared.reason) ?? { places: new Set(), scenarios: new Set() };
      byReason.set(declared.reason, showing);
      showing.scenarios.add(scenario.name);
      for (const { where } of found) showing.places.add(place(where));
    }
  }
  if (byReason.size === 0) return "None.";
  const rows = [...byReason].map(([reason, { places, scenarios }]) => {
    const [first = ""] = [...places].sort();
    return `| ${cell(reason)} | ${cell(first)} | ${some([...scenarios])} |`;
  });
  return ["| why | where, for example | scenarios |", "|---|---|---|", ...rows].join("\n");
}

interface Showing {
  readonly places: Set<string>;
  readonly scenarios: Set<string>;
}

/** Without the names of threads, turns and items, and without long texts. */
function place(where: string): string {
  const words = where.split(" ").filter((word) => !/^(thread|turn|call|id|msg)[-_]\d/.test(word));
  const text = words.join(" ");
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``;
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return names.length > 3 ? `${shown.join(", ")} and ${names.length - 3} more` : shown.join(", ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
