import { readFileSync } from "node:fs";
import process from "node:process";

/** The most memory that this process has held. On Linux `maxRSS` would count what the one held that started it. */
export function peakMb(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "latin1"))?.[1]) / 1024;
}
