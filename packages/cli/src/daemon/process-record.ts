import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process, told apart from a later one that got the same id. */
export interface ProcessRecord {
  readonly pid: number;
  /** When it began, as the system tells it. */
  readonly processStartTime: string;
}

/** The record of a running process; `undefined` where there is none. */
export function processRecord(pid: number): ProcessRecord | undefined {
  const processStartTime = process.platform === "linux" ? startedOnLinux(pid) : startedElsewhere(pid);
  return processStartTime === undefined ? undefined : { pid, processStartTime };
}

/** Whether the process that was recorded is still the one that runs. */
export function isRunning({ pid, processStartTime }: ProcessRecord): boolean {
  return processRecord(pid)?.processStartTime === processStartTime;
}

/** Reads a record from a file; `undefined` where there is none, or no whole one. */
export function readRecord(path: string): ProcessRecord | undefined {
  try {
    const { pid, processStartTime } = JSON.parse(readFileSync(path, "utf8")) as Partial<ProcessRecord>;
    return Number.isInteger(pid) && typeof processStartTime === "string"
      ? { pid: pid as number, processStartTime }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The boot and the ticks since then: clocks may be set, these are not. A zombie has ended. */
function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; what follows it is one state and numbers.
    const [state, ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${numbers[18]}`;
  } catch {
    return undefined;
  }
}

function startedElsewhere(pid: number): string | undefined {
  try {
    const out = execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8" }).trim();
    return out === "" ? undefined : out;
  } catch {
    return undefined;
  }
}
