import { readdirSync } from "node:fs";
import { join } from "node:path";
import { killTagged } from "@quire/jsonrpc/stdio";
import { ownStart, processStart } from "../lib/process-start.ts";
import { onFirstStart, serverTag } from "../run/process/process-table.ts";
import { dropMark, marksFolder, putMark } from "./writer-lock.ts";

/** Stands in a mark where others have a thread: its server has started processes. */
const processMark = "processes";

/**
 * Removes what servers that are gone have left in a home: locks of threads, and processes that outlived them, which
 * carry their server's number and start in the environment. Leaves a mark for the next server, once this one starts a
 * process; the result removes it.
 */
export function sweepDead(home: string): () => void {
  const folder = join(home, marksFolder);
  for (const { name, tag } of deadMarks(folder)) {
    if (name.startsWith(`${processMark}.`)) void killTagged(tag);
    dropMark(join(folder, name));
  }
  const mark = join(folder, `${processMark}.${process.pid}.${ownStart()}.0.${Date.now()}`);
  const forget = onFirstStart(() => {
    try {
      putMark(home, mark);
    } catch {
      // A home that cannot be written is no reason not to run a command.
    }
  });
  return () => {
    forget();
    dropMark(mark);
  };
}

/** The marks of processes that are no more. */
function deadMarks(folder: string): { name: string; tag: string }[] {
  const alive = new Map<string, boolean>();
  return namesIn(folder).flatMap((name) => {
    const [, pid = "", start, ...rest] = name.split(".");
    if (start === undefined || rest.length !== 2) return [];
    const tag = serverTag(pid, start);
    if (!alive.has(tag)) alive.set(tag, processStart(Number(pid)) === start);
    return alive.get(tag) ? [] : [{ name, tag }];
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
