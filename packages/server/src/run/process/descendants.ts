import { readdirSync, readFileSync } from "node:fs";

/** Processes that one command may have at a time. A build of a large machine has some hundreds. */
export const maxDescendants = 1024;

/** Most commands end before the first check. */
const lookMs = 250;

/**
 * Calls back once when a process has too many descendants, orphans included. Does nothing where they are not listed.
 */
export function watchDescendants(pid: number, ended: Promise<unknown>, tooMany: () => void): void {
  if (process.platform !== "linux") return;
  const timer = setInterval(() => {
    if (countDescendants(pid) <= maxDescendants) return;
    clearInterval(timer);
    tooMany();
  }, lookMs);
  timer.unref();
  void ended.then(() => clearInterval(timer));
}

/** Stops counting at the limit. */
function countDescendants(root: number): number {
  let count = 0;
  const pending = [String(root)];
  for (let pid = pending.pop(); pid !== undefined && count <= maxDescendants; pid = pending.pop()) {
    const children = childrenOf(pid);
    count += children.length;
    pending.push(...children);
  }
  return count;
}

/** Children are listed by the thread that made them. */
function childrenOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const list = readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").trim();
      return list === "" ? [] : list.split(" ");
    });
  } catch {
    // Gone by now.
    return [];
  }
}
