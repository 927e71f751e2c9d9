import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import type { RunningClaim } from "../state/claim.ts";
import { runMark } from "../workspace/run-mark.ts";

/** Number of checks, and the pause between them, before giving up on a process that should end. */
const maxChecks = 100;
const checkIntervalMs = 10;

/**
 * Ends all processes of these runs, and those with another mark, wherever they have gone, and waits until they are gone;
 * gives how many were found.
 */
export async function endOrphans(claims: readonly RunningClaim[], mark: string): Promise<number> {
  const found = new Set<number>();
  for (const { pid, pidStartedAt } of claims) {
    if (pid !== null && pidStartedAt !== null && startOf(pid) === pidStartedAt) {
      // Its group too: what it started may have dropped its environment.
      signal(-pid);
      signal(pid);
      found.add(pid);
    }
  }
  const marks = [mark, ...claims.map(({ runId }) => runId)];
  for (let check = 0; check < maxChecks; check++) {
    const left = killMarked(marks);
    if (left.length === 0) break;
    for (const pid of left) found.add(pid);
    await new Promise((resolve) => setTimeout(resolve, checkIntervalMs));
  }
  return found.size;
}

/** Kills every process that carries the mark of one of these runs, without waiting. Returns their ids. */
export function killMarked(runIds: readonly string[]): number[] {
  if (runIds.length === 0) return [];
  const marks = new Set(runIds.map((id) => `${runMark}=${id}`));
  const pids = markedProcesses(marks).filter((pid) => pid !== process.pid);
  for (const pid of pids) signal(pid);
  return pids;
}

/** Start time of a process as the system reports it; undefined if it is unknown or the process is gone. */
export function startOf(pid: number): string | undefined {
  if (process.platform === "linux") return statOf(pid)?.startedAt;
  try {
    return execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function markedProcesses(marks: ReadonlySet<string>): number[] {
  if (process.platform !== "linux") return markedByPs(marks);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      return variables.some((variable) => marks.has(variable)) && statOf(pid) !== undefined;
    } catch {
      return false;
    }
  });
}

function markedByPs(marks: ReadonlySet<string>): number[] {
  const lines = execFileSync("/bin/ps", ["-axEww", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  return lines
    .filter((line) => line.split(/\s+/).some((word) => marks.has(word)))
    .map((line) => Number.parseInt(line, 10));
}

function statOf(pid: number): { readonly startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return { startedAt: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}
