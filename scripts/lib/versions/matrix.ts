import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { codexVersion } from "@quire/protocol/version";
import { codexAvailable, codexCacheDir, installCodex } from "@quire/testkit";
import { readCases } from "../junit.ts";
import { runCommand } from "../run-command.ts";
import { filesBelow, root } from "../workspace.ts";

/** Versions at which something begins, ends or changed its behaviour, oldest first. */
export const boundaryVersions: readonly string[] = [
  ...["0.98.0", "0.101.0", "0.104.0", "0.110.0", "0.118.0", "0.120.0", "0.125.0", "0.130.0", "0.140.0", "0.148.0"],
  ...["0.150.0", "0.152.0", "0.160.0", "0.166.0", codexVersion],
];

/** Versions on which live tests of the gateway and the page run too. */
const wideVersions: readonly string[] = ["0.118.0", "0.130.0", "0.150.0", "0.160.0", codexVersion];

/** Counts of one feature's tests on one version. */
interface FeatureResult {
  readonly passed: number;
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
}

/** Results of one version, by feature. A feature without tests for the version is absent. */
export type VersionResult = Readonly<Record<string, FeatureResult>>;

/** The version of a day, such as `2026-11-18`, from those that `npm test` does not cover anyway. */
export function versionOfDay(day: string): string {
  const rest = boundaryVersions.filter((version) => !["0.98.0", "0.118.0", codexVersion].includes(version));
  const days = Math.floor(Date.parse(day) / 86_400_000);
  return rest[days % rest.length] ?? codexVersion;
}

/** Live tests by feature: the client's in which every server is a real Codex, on some versions others too. */
function featuresOf(version: string): Map<string, string> {
  const client = filesBelow(join(root, "packages", "client", "test"), ".test.ts");
  const live = client.filter((file) => file.includes("/integration/") || basename(file).startsWith("real-"));
  const wide: readonly [feature: string, file: string][] = [
    ["gateway", "gateway/test/live/live.test.ts"],
    ["page", "web/test/e2e/turns.test.ts"],
    ["page reload", "web/test/e2e/reload.test.ts"],
  ];
  const features = live.map((file) => [basename(file, ".test.ts").replace(/^real-/, ""), file] as const);
  // The suite of `ai-sdk` runs on the pinned version alone.
  const own = features.filter(([, file]) => !file.includes("/ai-sdk/"));
  const more = wide.map(([feature, file]) => [feature, join(root, "packages", file)] as const);
  return new Map(wideVersions.includes(version) ? [...own, ...more] : own);
}

/**
 * Runs the live tests on one Codex version, which is downloaded if it is not there and then removed afterwards.
 * Rejects when the tests could not run at all.
 */
export async function runVersion(version: string): Promise<VersionResult> {
  const isOurs = !codexAvailable(version);
  await installCodex(version);
  const folder = mkdtempSync(join(tmpdir(), "qv-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const features = featuresOf(version);
    const report = join(folder, "report.xml");
    const files = [...features.values()].map((file) => `./${relative(root, file)}`);
    const flags = ["--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`];
    const { output } = await runCommand(process.execPath, ["test", ...flags, ...files], {
      env: { QUIRE_CODEX_VERSIONS: version, CI: "true", TMPDIR: folder },
      timeoutMs: 900_000,
    });
    const xml = readReport(report, output);
    return Object.fromEntries([...features].flatMap(([feature, file]) => resultOf(feature, file, xml)));
  } finally {
    process.off("exit", remove);
    remove();
    if (isOurs) rmSync(codexCacheDir(version), { recursive: true, force: true });
  }
}

function readReport(file: string, output: string): ReturnType<typeof readCases> {
  try {
    return readCases(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`The tests ended without a report:\n${output.slice(-4000)}`, { cause });
  }
}

function resultOf(feature: string, file: string, cases: ReturnType<typeof readCases>): [string, FeatureResult][] {
  const own = cases.filter((each) => each.file !== "" && file.endsWith(each.file));
  const passed = own.filter(({ state }) => state === "passed").length;
  const failed = own.filter(({ state }) => state === "failed").map(({ name }) => name);
  return passed + failed.length === 0 ? [] : [[feature, { passed, failed }]];
}
