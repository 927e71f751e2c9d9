import { readFileSync } from "node:fs";
import { processStart } from "@quire/server/startup";

/** A process, told apart from a later one that got the same id. */
export interface ProcessRecord {
  readonly pid: number;
  /** When it began, as the system tells it. */
  readonly processStartTime: string;
}

/** The record of a running process; `undefined` where there is none. */
export function processRecord(pid: number): ProcessRecord | undefined {
  const processStartTime = processStart(pid);
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
