import { readFileSync } from "node:fs";
import { processStart } from "@quire/server/startup";

/** A process, distinct from a later one with the same id. */
export interface ProcessRecord {
  readonly pid: number;
  /** Start time, as the system reports it. */
  readonly processStartTime: string;
}

/** The record of a running process; `undefined` where there is none. */
export function processRecord(pid: number): ProcessRecord | undefined {
  const processStartTime = processStart(pid);
  return processStartTime === undefined ? undefined : { pid, processStartTime };
}

/** True if the recorded process still runs, and not another one under its number. */
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
