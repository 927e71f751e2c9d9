import { readdirSync } from "node:fs";
import { join } from "node:path";
import { killTagged } from "@quire/jsonrpc/processes";
import { ownStart, processStart } from "../lib/process-start.ts";
import { onProcessStart, serverTag } from "../run/process/process-table.ts";
import { dropMark, marksFolder, putMark } from "./writer-lock.ts";

/** Takes the thread's place in a mark: its server has started processes. */
const processMark = "processes";

/**
 * Removes what servers that are gone have left in a home: locks of threads, and processes that outlived them. These carry
 * their server's number and start in the environment; those without a guard are noted by number and start of their own
 * too, for systems that show nobody's environment. Marks the home for the next server, once this one starts a process;
 * the result removes it.
 */
export function sweepDead(home: string): () => void {
  const folder = join(home, marksFolder);
  for (const { name, tag, process: noted } of deadMarks(folder)) {
    if (noted) {
      if (processStart(noted.pid) === noted.start) killGroup(noted.pid);
      void killTagged(tag);
    }
    dropMark(join(folder, name));
  }
  return markProcesses(home, folder);
}

function markProcesses(home: string, folder: string): () => void {
  const marks = new Map<number, string>();
  const mark = (pid: number, start: string) => {
    const path = join(folder, [processMark, process.pid, ownStart(), pid, start].join("."));
    marks.set(pid, path);
    try {
      putMark(home, path);
    } catch {
      // A home that cannot be written is no reason not to run a command.
    }
  };
  const unmark = (pid: number) => {
    const path = marks.get(pid);
    if (path !== undefined) dropMark(path);
    marks.delete(pid);
  };
  const stop = onProcessStart(({ isGuarded, root, gone }) => {
    if (isGuarded) {
      // One for all: their guards see to them.
      if (!marks.has(0)) mark(0, "0");
      return;
    }
    mark(root, processStart(root) ?? "0");
    void gone.then(() => unmark(root));
  });
  return () => {
    stop();
    for (const pid of [...marks.keys()]) unmark(pid);
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Gone by now.
  }
}

interface DeadMark {
  readonly name: string;
  readonly tag: string;
  /** A process that the server has noted; 0 for those that have guards. */
  readonly process: { readonly pid: number; readonly start: string } | undefined;
}

/** The marks of processes that are no more. */
function deadMarks(folder: string): DeadMark[] {
  const alive = new Map<string, boolean>();
  return namesIn(folder).flatMap((name) => {
    const [of, pid = "", start, third, fourth, ...more] = name.split(".");
    if (start === undefined || fourth === undefined || more.length > 0) return [];
    const tag = serverTag(pid, start);
    if (!alive.has(tag)) alive.set(tag, processStart(Number(pid)) === start);
    if (alive.get(tag)) return [];
    return [{ name, tag, process: of === processMark ? { pid: Number(third), start: fourth } : undefined }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever written to this home.
    return [];
  }
}
