import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./world.ts";

/** Processes, inside and outside of sandboxes, that name the world on their command line as a word of its own. */
export function processesNaming({ base }: World): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.filter((pid) => commandLine(pid).split("\0").includes(base)).map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(join("/proc", pid, "cmdline"), "utf8");
  } catch {
    return "";
  }
}
