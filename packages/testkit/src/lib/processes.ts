import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { eventually } from "./eventually.ts";

/** A process that is alive (a zombie is not). */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** A query for processes. */
export type ProcessQuery =
  /** All below this process, not itself. Blind to those whose parent ended: they belong to init then. */
  | { readonly descendantsOf: number }
  /** All whose environment holds `NAME=value`, also those whose parent has ended. */
  | { readonly tag: string };

/** Lists the living processes below `pid`, nearest first. */
export async function descendants(pid: number): Promise<ProcessInfo[]> {
  const all = await listProcesses();
  const found: ProcessInfo[] = [];
  for (let generation = [pid]; generation.length > 0; ) {
    const children = all.filter((process) => generation.includes(process.parent));
    found.push(...children);
    generation = children.map((child) => child.pid);
  }
  return found;
}

/** Lists the living processes that inherited `tag`, a `NAME=value` pair, in their environment. */
export async function taggedProcesses(tag: string): Promise<ProcessInfo[]> {
  if (process.platform === "linux") {
    const all = await listProcesses();
    const tagged = await Promise.all(
      all.map(async ({ pid }) => (await readProc(pid, "environ")).split("\0").includes(tag)),
    );
    return all.filter((_, index) => tagged[index]);
  }
  // Elsewhere `ps -E` appends the environment to the command.
  const all = await listWithPs(["-E"]);
  return all.filter(({ command }) => command.includes(` ${tag}`));
}

/**
 * Waits until none of the processes is left, since a killed process takes a moment to go. Throws with a list of those
 * that stay.
 */
export async function assertNoProcesses(
  query: ProcessQuery,
  options: { readonly timeoutMs?: number } = {},
): Promise<void> {
  let left: ProcessInfo[] = [];
  try {
    await eventually(async () => {
      left = "tag" in query ? await taggedProcesses(query.tag) : await descendants(query.descendantsOf);
      return left.length === 0;
    }, options);
  } catch (cause) {
    const list = left.map(({ pid, parent, command }) => `  ${pid} (parent ${parent}) ${command}`).join("\n");
    throw new Error(`${left.length} process(es) left behind:\n${list}`, { cause });
  }
}

/** {@link assertNoProcesses} for the descendants of this very process. */
export function assertNoChildren(options: { readonly timeoutMs?: number } = {}): Promise<void> {
  return assertNoProcesses({ descendantsOf: process.pid }, options);
}

function listProcesses(): Promise<ProcessInfo[]> {
  return process.platform === "linux" ? listProc() : listWithPs([]);
}

async function listProc(): Promise<ProcessInfo[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(inspectProc));
  return all.filter((info) => info !== undefined);
}

async function inspectProc(pid: number): Promise<ProcessInfo | undefined> {
  const stat = await readProc(pid, "stat");
  // "pid (name) state parent …", where the name may itself hold blanks and brackets.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (!state || "ZX".includes(state)) return undefined;
  const command = (await readProc(pid, "cmdline")).replaceAll("\0", " ").trim();
  return { pid, parent: Number(parent), command };
}

/** A process may end between two reads, and those of other users are closed to us: both read as empty. */
async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function listWithPs(flags: readonly string[]): Promise<ProcessInfo[]> {
  return new Promise((resolve, reject) => {
    const args = [...flags, "-axww", "-o", "pid=,ppid=,state=,command="];
    const ps = execFile("ps", args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout.split("\n").flatMap((line) => parsePs(line, ps.pid)));
    });
  });
}

function parsePs(line: string, ownPid: number | undefined): ProcessInfo[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
  if (!match) return [];
  const [, pid, parent, state, command] = match as unknown as [string, string, string, string, string];
  return state.startsWith("Z") || Number(pid) === ownPid ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
}
