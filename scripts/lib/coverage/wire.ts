import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { compareVersions } from "@quire/protocol";
import { runCommand } from "../run-command.ts";
import { filesBelow, root } from "../workspace.ts";

/** Outcome of a method: a request that got a result, one that only got errors, or a notification. */
export type Outcome = "answered" | "refused" | "seen";

/** A method seen on the wire between the client and a real server. */
export interface Sighting {
  readonly version: string;
  readonly method: string;
  readonly outcome: Outcome;
}

/** Outcomes by version and method. */
export type Wire = Readonly<Record<string, Readonly<Record<string, Outcome>>>>;

const file = join(root, "docs", "coverage.json");

/** The recording that is kept in the repository. */
export function readWire(): Wire {
  return JSON.parse(readFileSync(file, "utf8")) as Wire;
}

/** The client's tests in which every server is a real Codex, and its examples. */
function realTests(): string[] {
  const tests = filesBelow(join(root, "packages", "client", "test"), ".test.ts");
  const real = tests.filter((test) => test.includes("/integration/") || basename(test).startsWith("real-"));
  return [...real, join(root, "test", "examples.test.ts")];
}

/** Runs those tests and keeps what travelled. Rejects when one of them fails: what it showed would be no proof. */
export async function recordWire(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "quire-coverage-"));
  const log = join(folder, "wire.jsonl");
  writeFileSync(log, "");
  try {
    const args = [
      "test",
      "--timeout=120000",
      "--only-failures",
      `--preload=${join(root, "scripts", "coverage-tap.ts")}`,
    ];
    const tests = realTests().map((test) => `./${relative(root, test)}`);
    const { code, output } = await runCommand(process.execPath, [...args, ...tests], {
      env: { QUIRE_COVERAGE_LOG: log, CI: "true" },
    });
    if (code !== 0) throw new Error(`The tests failed, so nothing was recorded:\n${output}`);
    const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
    const wire = toWire(lines.map((line) => JSON.parse(line) as Sighting));
    writeFileSync(file, `${JSON.stringify(wire, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sorted, so that a new recording of the same is the same file. A request that was answered once counts as answered. */
function toWire(sightings: readonly Sighting[]): Wire {
  const versions = [...new Set(sightings.map(({ version }) => version))].sort(compareVersions);
  return Object.fromEntries(
    versions.map((version) => {
      const own = sightings.filter((each) => each.version === version && !each.method.startsWith("codex/event/"));
      const refusedFirst = [...own].sort((a, b) => Number(b.outcome === "refused") - Number(a.outcome === "refused"));
      const methods = new Map(refusedFirst.map(({ method, outcome }) => [method, outcome]));
      return [version, Object.fromEntries([...methods].sort(([a], [b]) => (a < b ? -1 : 1)))];
    }),
  );
}
