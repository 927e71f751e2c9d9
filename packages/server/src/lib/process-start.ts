import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * The start time of a process, which identifies it together with its pid; `undefined` when there is no such process.
 */
export function processStart(pid: number): string | undefined {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** {@link processStart} of this process. */
export function ownStart(): string {
  own ??= processStart(process.pid) ?? "0";
  return own;
}

let own: string | undefined;
let boot: string | undefined;

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold spaces and brackets; the start is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie writes no more.
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    return `${fields[19]}${boot}`;
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  const { stdout } = spawnSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout?.trim().replaceAll(/[^0-9A-Za-z]+/g, "") || undefined;
}
