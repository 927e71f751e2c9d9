import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** A process, identified so that a later one with a reused number is not mistaken for it. */
export interface ProcessRef {
  readonly pid: number;
  /** Start time as the system counts it; empty where it is not known. */
  readonly startedAt: string;
}

interface ProcessRow extends ProcessRef {
  readonly parent: number;
  readonly group: number;
}

/**
 * Environment variable that marks a spawned tree, so that members which left the group and lost their parent are found.
 * A spawned process that spawns in turn adds its own tag to the one it carries, and so stays findable for both.
 */
const tagVariable = "QUIRE_SPAWN";

/** Number of repeated scans, for processes that started during the last one. */
const maxLooks = 5;

/**
 * A tag that no other tree carries. Not by `node:crypto`: it takes as long to load as a program takes to start, and
 * nothing here is a secret.
 */
export function newTag(): string {
  return [process.pid, Date.now(), Math.random()].map((part) => part.toString(36)).join("-");
}

/** Environment variables that tag a child and its descendants. */
export function tagged(tag: string): Record<string, string> {
  const inherited = process.env[tagVariable];
  return { [tagVariable]: inherited ? `${inherited},${tag}` : tag };
}

/** Ends whatever a process that is gone has left behind. @param since When it started, as {@link startOf} gave it. */
export async function killLeftovers(root: number, tag: string, since = ""): Promise<void> {
  await signalGroup(root, "SIGKILL");
  for (let look = 0; look < maxLooks; look++) {
    const left = await processTree(root, tag, since).catch(() => []);
    if (left.length === 0) return;
    signalAll(left, "SIGKILL");
  }
}

/** Number of scans for a tag, and the pause between them: a process that is just starting shows none yet. */
const tagLooks = 20;
const tagLookGapMs = 3;

/** Kills every process that carries a tag. Finds none where environments cannot be read. */
export async function killTagged(tag: string): Promise<void> {
  for (let look = 0; look < tagLooks; look++) {
    if (killTaggedNow(tag) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, tagLookGapMs));
  }
}

/**
 * Looks once, for when a process is about to exit and can wait for nothing. Returns how many it has signalled, and with
 * them those of which nobody can tell yet whether they carry the tag.
 */
export function killTaggedNow(tag: string): number {
  if (process.platform !== "linux") return 0;
  const others = listByProc().filter((row) => row.pid !== process.pid);
  const found = others.filter((row) => carriesTag(row.pid, tag));
  signalAll(found, "SIGKILL");
  return found.length + others.filter(isStarting).length;
}

/** True while a process is being replaced by another program; it has no arguments and no environment then. */
function isStarting({ pid, parent }: ProcessRow): boolean {
  // Processes of the kernel have neither, ever; all descend from its second process.
  if (pid === 2 || parent === 2) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length === 0 && readFileSync(`/proc/${pid}/environ`).length === 0;
  } catch {
    return false;
  }
}

/** Start time of a process in the system's units; empty if unknown. */
export function startOf(pid: number): string {
  return process.platform === "linux" ? (readStat(pid)?.startedAt ?? "") : "";
}

/**
 * All that descends from a process: its children and theirs, its process group, and every process that carries its tag.
 *
 * @param since When the process started. Who was there before cannot carry its tag, and is not asked: reading the
 * environment of every process of the machine is most of what a look costs.
 */
export async function processTree(root: number, tag: string, since = ""): Promise<ProcessRef[]> {
  const rows = await listProcesses();
  const found = new Set<number>([root]);
  // Children mostly have larger numbers than their parents, but need not: repeat until nothing is added.
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const row of rows) if (row.group === root || found.has(row.parent)) found.add(row.pid);
  }
  for (const row of rows) {
    if (!found.has(row.pid) && !isOlder(row, since) && carriesTag(row.pid, tag)) found.add(row.pid);
  }
  found.delete(root);
  return rows.filter((row) => found.has(row.pid) && row.pid !== process.pid);
}

/** Sends a signal to those that are still the same processes. */
export function signalAll(refs: readonly ProcessRef[], signal: NodeJS.Signals): void {
  for (const ref of refs) if (isSame(ref)) trySignal(ref.pid, signal);
}

/** Signals the process group that a spawned child leads; on Windows, where there are none, ends its whole tree. */
export async function signalGroup(leader: number, signal: NodeJS.Signals): Promise<void> {
  if (process.platform !== "win32") trySignal(-leader, signal);
  else await outputOf("taskkill", ["/pid", String(leader), "/T", "/F"]).catch(() => undefined);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, which is what the signal was for.
  }
}

function isOlder({ startedAt }: ProcessRef, since: string): boolean {
  return since !== "" && Number(startedAt) < Number(since);
}

function isSame(ref: ProcessRef): boolean {
  return process.platform !== "linux" || readStat(ref.pid)?.startedAt === ref.startedAt;
}

async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform === "win32") return [];
  return process.platform === "linux" ? listByProc() : listByPs();
}

function listByProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const row = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (row) rows.push(row);
  }
  return rows;
}

async function listByPs(): Promise<ProcessRow[]> {
  const stdout = await outputOf("/bin/ps", ["-A", "-o", "pid=,ppid=,pgid=,lstart="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, ...started] = line.trim().split(/\s+/);
    return pid
      ? [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: started.join(" ") }]
      : [];
  });
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}

function readStat(pid: number): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself hold spaces and parentheses; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, group] = fields;
    if (state === "Z" || state === "X") return undefined;
    return { pid, parent: Number(parent), group: Number(group), startedAt: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function carriesTag(pid: number, tag: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.some((variable) => variable.startsWith(`${tagVariable}=`) && variable.includes(tag));
  } catch {
    return false;
  }
}
