import { killTagged, killTaggedNow } from "@quire/jsonrpc/stdio";
import { maxDescendants, watchDescendants } from "./descendants.ts";
import { RunningProcess, type StartOptions } from "./running-process.ts";

/** Marks this server's processes in their environment. */
const serverTag = `quire.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;

/** Processes of all owners at once. Beyond that, starting one fails. */
const maxRunning = 1024;

const running = new Map<RunningProcess, string>();
/** Owners that ever started something: their background processes are found by tag. */
const owners = new Set<string>();
let count = 0;

/** Starts a process for an owner, such as a thread. {@link killOwned} ends it; none outlives the server. */
export function startOwned(owner: string, options: Omit<StartOptions, "tag">): RunningProcess {
  if (running.size >= maxRunning) {
    throw new Error(`${maxRunning} processes are running already: end some of them before starting more`);
  }
  if (count === 0) process.on("exit", killAllNow);
  count += 1;
  const started = new RunningProcess({ ...options, tag: `${ownerTag(owner)}${count}` });
  owners.add(owner);
  running.set(started, owner);
  void started.exited.then(() => running.delete(started));
  watchDescendants(started.pid, started.exited, () => endTooMany(started, options));
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
  if (!owners.delete(owner)) return;
  const own = [...running].filter(([, of]) => of === owner).map(([started]) => started);
  await Promise.all(own.map((started) => started.kill()));
  await killTagged(ownerTag(owner));
}

/** Kills everything ever started here, without waiting, when a server exits without being closed. */
function killAllNow(): void {
  for (const started of running.keys()) started.killNow();
  killTaggedNow(serverTag);
}

function ownerTag(owner: string): string {
  return `${serverTag}/${owner}/`;
}
