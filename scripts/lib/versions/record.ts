import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareVersions } from "@quire/protocol";
import { root } from "../workspace.ts";
import type { VersionResult } from "./matrix.ts";

/** Counts of passed tests by version and feature; a negative count is one of failed tests. */
type VersionRecord = Readonly<Record<string, Readonly<Record<string, number>>>>;

const file = join(root, "docs", "versions.json");

/** Reads the record that is kept in the repository. */
export function readRecord(): VersionRecord {
  return JSON.parse(readFileSync(file, "utf8")) as VersionRecord;
}

/** Keeps the results of a version beside those of the others. */
export function writeRecord(version: string, result: VersionResult): void {
  const counts = Object.entries(result).map(
    ([feature, { passed, failed }]) => [feature, failed.length > 0 ? -failed.length : passed] as const,
  );
  const sorted = Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
  const all = Object.entries({ ...readRecord(), [version]: sorted }).sort(([a], [b]) => compareVersions(a, b));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** The table of versions and features, for docs/coverage.md. */
export function versionTable(): string {
  const record = Object.entries(readRecord());
  const features = [...new Set(record.flatMap(([, counts]) => Object.keys(counts)))].sort();
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const cell = (count: number | undefined) => (count === undefined ? "–" : count < 0 ? `${-count} failed` : `${count}`);
  return [
    line(["Codex", ...features]),
    `|${["", ...features].map(() => "---").join("|")}|`,
    ...record.map(([version, counts]) => line([version, ...features.map((feature) => cell(counts[feature]))])),
  ].join("\n");
}
