import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { RealCodex } from "@quire/testkit";

/** Time that the system has to end what is told to end; on a busy machine it takes some. */
const patienceMs = 5000;
const lookMs = 10;

/** Waits until nothing of a killed server runs; returns what stays, after ending it. */
export async function orphansOf(codex: RealCodex): Promise<string[]> {
  const left = await untilNone(() => processesOf(codex));
  const commands = left.map((pid) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim());
  for (const pid of left) process.kill(pid, "SIGKILL");
  return commands;
}

/** Waits until no lock of a dead process is left, and returns those that stay. */
export function deadLocks(home: string): Promise<string[]> {
  return untilNone(() => {
    const locks = readdirSync(join(home, "locks"));
    return locks.filter((name) => read(`/proc/${name.split(".")[1]}/stat`) === "");
  });
}

/** The processes that are a server of this home. */
export function serversOf(codex: RealCodex): number[] {
  return processesOf(codex).filter((pid) => read(`/proc/${pid}/cmdline`).split("\0").includes("app-server"));
}

/** By environment, and by folder for those that dropped it. */
function processesOf({ tag, cwd }: RealCodex): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const state = read(`/proc/${pid}/stat`).split(") ").at(-1)?.[0];
    if (state === undefined || "ZX".includes(state)) return false;
    return folderOf(pid) === cwd || read(`/proc/${pid}/environ`).split("\0").includes(tag);
  });
}

async function untilNone<T>(look: () => T[]): Promise<T[]> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const left = look();
    if (left.length === 0 || Date.now() > until) return left;
    await Bun.sleep(lookMs);
  }
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
