import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { readJunit } from "./junit.ts";
import type { Outcome } from "./outcome.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";
import { filesBelow, packages, root } from "./workspace.ts";

/** Packages whose tests also run on Node, from the compiled output; all but `*.bun.test.ts`. The others need Bun. */
const nodePackages: readonly string[] = ["jsonrpc", "protocol", "testkit", "client", "agent"];

/** Parts that also run with threads in PostgreSQL: those about threads and turns as clients see them. */
const postgresParts: readonly string[] = ["server/thread", "server/turn"];

/** Some test files of one package (or of the root) on one runtime. */
export interface Suite {
  /** Name that a developer types to run it: a package's folder, or `root`. */
  readonly group: string;
  /** Its part: a folder of tests or, at the root, one file. Parts run in parallel. */
  readonly part: string;
  readonly runtime: "bun" | "node";
  /** True for servers whose threads are in PostgreSQL. */
  readonly onPostgres?: boolean;
  /** Test files as they are in the sources. */
  readonly files: readonly string[];
}

/** Longest time for one test: real processes on a busy machine take seconds. */
const testTimeoutMs = 60_000;
/** Node 20 counts a whole file as one test. */
const fileTimeoutMs = 300_000;

/** All suites. `wanted` filters by group, or by group and file: `jsonrpc`, `jsonrpc/framing`. */
export function suites(wanted: readonly string[]): Suite[] {
  const groups = [...packages().map(({ short, dir }) => ({ group: short, dir })), { group: "root", dir: root }];
  const all = groups.flatMap(({ group, dir }) => {
    const files = filesBelow(join(dir, "test"), ".test.ts").filter((file) => isWanted(group, file, wanted));
    return [...divided(parts(group, join(dir, "test"), files))].flatMap(([part, of]): Suite[] => {
      const onNode = nodePackages.includes(group) ? of.filter((file) => !file.endsWith(".bun.test.ts")) : [];
      const bun: Suite = { group, part, runtime: "bun", files: of };
      const onPostgres = postgresParts.includes(label(bun)) ? [{ ...bun, onPostgres: true }] : [];
      return [bun, ...onPostgres, ...(onNode.length > 0 ? [{ ...bun, runtime: "node" as const, files: onNode }] : [])];
    });
  });
  // The longest first, so that nobody waits for one that began last.
  return all.sort((a, b) => longest.indexOf(label(b)) - longest.indexOf(label(a)));
}

/** Parts that take a minute or more, the longest last. */
const longest: readonly string[] = [
  "server/store",
  "web/approvals",
  "cli/commands",
  "root/consumer.test.ts",
  "root/versions.test.ts",
  "web/composer",
  "agent/live",
  "server/stock",
  "server/fuzz",
  "server/faults",
  "client/integration",
  "root/agent-on-server.test.ts",
  "root/client-on-server.test.ts",
  "root/conformance.test.ts",
  "web/e2e 4",
  "web/e2e 3",
  "web/e2e 2",
  "web/e2e",
];

const label = ({ group, part }: Suite): string => `${group}/${part}`;

/** Files by the folder that they are in; at the root, and beside such folders, by themselves. */
function parts(group: string, folder: string, files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const [first = "", ...deeper] = relative(folder, file).split(sep);
    const part = deeper.length > 0 || group === "root" ? first : "";
    found.set(part, [...(found.get(part) ?? []), file]);
  }
  return found;
}

/** Files that one suite of such a part has at most: each of them takes half a minute, in a browser. */
const maxFiles: Readonly<Record<string, number>> = { e2e: 6 };

/** Large parts as several: `e2e`, `e2e 2`, `e2e 3`. */
function* divided(found: ReadonlyMap<string, readonly string[]>): Generator<[part: string, files: readonly string[]]> {
  for (const [part, files] of found) {
    const most = maxFiles[part] ?? files.length;
    for (let from = 0; from < files.length; from += most) {
      yield [from === 0 ? part : `${part} ${from / most + 1}`, files.slice(from, from + most)];
    }
  }
}

function isWanted(group: string, file: string, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  return wanted.some((each) => {
    const [name, part = ""] = each.split("/");
    return name === group && relative(root, file).includes(part);
  });
}

/** Runs one suite. Reports are written into `folder`; `env` is added to this process's environment. */
export async function runSuite(suite: Suite, folder: string, env: CommandOptions["env"] = {}): Promise<Outcome> {
  const where = suite.onPostgres ? `${suite.runtime}, PostgreSQL` : suite.runtime;
  const report = join(folder, `${label(suite)}-${where}.xml`.replaceAll(/[/, ]+/g, "-"));
  const { command, args, files, missing } = suite.runtime === "bun" ? onBun(suite, report) : onNode(suite, report);
  const name = `${suite.part === "" ? suite.group : label(suite)} on ${where}`;
  const problems = missing.map((file) => `${file} was not compiled: is its project in tsconfig.json?`);
  if (files.length === 0) {
    // Without files, a runner would look for tests by itself and count those of other packages.
    return { name, passed: 0, failed: problems.length, skipped: [], seconds: 0, details: problems.join("\n") };
  }
  // A runner that dies writes none, and must not be judged by an earlier one.
  rmSync(report, { force: true });
  const { code, output, seconds } = await runCommand(command, [...args, ...files], {
    env: suite.onPostgres ? { ...env, QUIRE_TEST_STORE: "postgres" } : env,
  });
  const read = tryRead(report);
  if (typeof read === "string") {
    const why = `The runner ended with code ${code} and left no usable report: ${read}`;
    return { name, passed: 0, failed: 1 + missing.length, skipped: [], seconds, details: `${output}\n${why}` };
  }
  problems.push(...silentFiles(suite, read.files));
  if (code !== 0 && read.failed + problems.length === 0) {
    problems.push(`The runner ended with code ${code} though no test failed: an error outside of a test, see above`);
  }
  const details = [onlyFailures(output), ...problems].join("\n");
  return { name, passed: read.passed, failed: read.failed + problems.length, skipped: read.skipped, seconds, details };
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly files: readonly string[];
  /** Files that cannot be run. */
  readonly missing: readonly string[];
}

function onBun({ files }: Suite, report: string): Command {
  const flags = ["--only-failures", `--timeout=${testTimeoutMs}`, "--reporter=junit", `--reporter-outfile=${report}`];
  const paths = files.map((file) => `./${relative(root, file)}`);
  return { command: process.execPath, args: ["test", ...flags], files: paths, missing: [] };
}

/** Taken from the list of sources, so that output of a test that was deleted since is not run. */
function onNode({ group, files }: Suite, report: string): Command {
  const dir = join(root, "packages", group);
  const compiled = files.map((file) =>
    join(dir, ".test-build", relative(join(dir, "test"), file).replace(/ts$/, "js")),
  );
  const flags = [
    "--test",
    "--test-concurrency=1",
    `--test-timeout=${fileTimeoutMs}`,
    "--test-reporter=junit",
    `--test-reporter-destination=${report}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
  ];
  const isThere = (file: string) => existsSync(file);
  const missing = compiled.filter((file) => !isThere(file)).map((file) => relative(root, file));
  return { command: "node", args: flags, files: compiled.filter(isThere), missing };
}

function tryRead(report: string): ReturnType<typeof readJunit> | string {
  try {
    return readJunit(readFileSync(report, "utf8"));
  } catch (error) {
    return (error as Error).message;
  }
}

/** Files of which no test was reported: they failed to load, or hold none. Neither may pass unseen. */
function silentFiles({ runtime, files }: Suite, reported: ReadonlySet<string>): string[] {
  // Node names no files; every suite that runs there runs on Bun as well.
  if (runtime === "node") return [];
  const seen = new Set([...reported].map((file) => resolve(root, file)));
  return files
    .filter((file) => !seen.has(file))
    .map((file) => `${relative(root, file)} reported no test: it failed to load, or holds none`);
}

/** Node's reporter lists every test, then the failing ones in full; the list is left out. */
function onlyFailures(output: string): string {
  const at = output.indexOf("✖ failing tests:");
  return at < 0 ? output : output.slice(at);
}
