import { killTagged, killTaggedNow } from "@quire/jsonrpc/processes";
import { ownStart } from "../../lib/process-start.ts";
import { maxDescendants, watchDescendants } from "./descendants.ts";
import { RunningProcess, type StartOptions } from "./running-process.ts";

/** Marks a server's processes in their environment, by the server's number and start. */
export const serverTag = (pid: number | string, start: string): string => `quire.${pid}.${start}/`;

const ownTag = serverTag(process.pid, ownStart());

/** Processes of all owners at once. Beyond that, starting one fails. */
const maxRunning = 1024;

const running = new Map<RunningProcess, string>();
/** Owners of processes without a guard: what those left in the background is found by tag. */
const unguarded = new Set<string>();
const startListeners = new Set<(started: RunningProcess) => void>();
let count = 0;

/** Calls back for every process that is started from now on. The result takes that back. */
export function onProcessStart(listener: (started: RunningProcess) => void): () => void {
  startListeners.add(listener);
  return () => startListeners.delete(listener);
}

/** Starts a process for an owner, such as a thread. {@link killOwned} ends it; none outlives the server. */
export function startOwned(owner: string, options: Omit<StartOptions, "tag">): RunningProcess {
  if (running.size >= maxRunning) {
    throw new Error(`${maxRunning} processes are running already: end some of them before starting more`);
  }
  if (count === 0) process.on("exit", killAllNow);
  count += 1;
  const started = new RunningProcess({ ...options, tag: `${ownerTag(owner)}${count}` });
  running.set(started, owner);
  if (!started.isGuarded) unguarded.add(owner);
  for (const listener of startListeners) listener(started);
  // What it left in the background counts until it is gone.
  void Promise.all([started.exited, started.gone]).then(() => running.delete(started));
  watchDescendants(started.root, started.gone, () => endTooMany(started, options));
  return started;
}

/** Without grace: it would use the time to start more. */
function endTooMany(started: RunningProcess, { onOutput }: Pick<StartOptions, "onOutput">): void {
  void onOutput(new TextEncoder().encode(`\nended: the command had more than ${maxDescendants} processes\n`), "stderr");
  started.killNow();
  void started.kill();
}

/** Ends all that an owner has running, and whatever descends from it. */
export async function killOwned(owner: string): Promise<void> {
  const own = [...running].filter(([, of]) => of === owner).map(([started]) => started);
  await Promise.all(own.map((started) => started.kill()));
  if (unguarded.delete(owner)) await killTagged(ownerTag(owner));
}

/** Kills everything ever started here, without waiting, when a server exits without being closed. */
function killAllNow(): void {
  for (const started of running.keys()) started.killNow();
  if (unguarded.size > 0) killTaggedNow(ownTag);
}

function ownerTag(owner: string): string {
  return `${ownTag}${owner}/`;
}
