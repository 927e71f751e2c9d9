import type { CommandExecParams } from "@quire/protocol";
import { listScript, nameScript, saveScript } from "../scripts/checkpoint-scripts.ts";
import { maxOutputBytes, noRepository, type RunScript, type ScriptResult, succeeded } from "../scripts/run-script.ts";
import type { HubStore } from "./hub-store.ts";

const scriptMs = 120_000;
/** A turn begins after this long, also without a checkpoint. */
const patienceMs = 15_000;

/** Runs scripts in a folder of a server's machine, as the user's own hands do in the terminal. */
export function scriptRunner(exec: (params: CommandExecParams) => Promise<ScriptResult>, cwd: string): RunScript {
  return (script, { env = {}, args = [] }) =>
    exec({
      command: ["/bin/sh", "-c", script, "sh", ...args],
      cwd,
      env: { ...env },
      outputBytesCap: maxOutputBytes,
      timeoutMs: scriptMs,
      sandboxPolicy: { type: "dangerFullAccess" },
    });
}

/** Names the turn that follows a checkpoint; without a turn the checkpoint is dropped. */
export type NameCheckpoint = (turnId: string) => Promise<void>;

/**
 * Takes a checkpoint of a thread's folder before a turn. It never fails: without a repository, or where the server
 * cannot run scripts, a turn has none, and can be undone by its own changes.
 */
export async function checkpointBefore(hub: HubStore, threadId: string): Promise<NameCheckpoint> {
  const run = runnerOf(hub, threadId);
  const saved = run === null ? Promise.resolve(null) : run(saveScript, { env: {} }).catch(() => null);
  const result = await Promise.race([saved, new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null))]);
  return async (turnId) => {
    hub.checkpointed.add(turnId);
    const commit = result?.exitCode === 0 ? result.stdout.trim() : "";
    if (run === null || commit === "") return;
    await run(nameScript, { env: { THREAD: threadId, TURN: turnId, COMMIT: commit } }).catch(() => undefined);
  };
}

/** Takes a checkpoint for a turn that something else started, such as the server's queue: the agent has hardly begun. */
export async function checkpointOf(hub: HubStore, threadId: string, turnId: string): Promise<void> {
  const record = hub.threads.find(threadId);
  if (record === undefined || record.parent !== null || record.thread.ephemeral || hub.checkpointed.has(turnId)) return;
  const name = await checkpointBefore(hub, threadId);
  // Meanwhile the reply to this page's own request may have come.
  if (!hub.checkpointed.has(turnId)) await name(turnId);
}

/** The checkpoints of a thread by the id of the turn that followed; null where there is no repository. */
export async function listCheckpoints(run: RunScript, threadId: string): Promise<ReadonlyMap<string, string> | null> {
  const result = await run(listScript, { env: { THREAD: threadId } });
  if (result.exitCode === noRepository) return null;
  const { stdout } = await succeeded(Promise.resolve(result));
  const lines = stdout.trim().split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

function runnerOf(hub: HubStore, threadId: string): RunScript | null {
  const cwd = hub.open.get(threadId)?.snapshot().settings.cwd || hub.threads.find(threadId)?.thread.cwd;
  if (!cwd || !hub.ready) return null;
  return scriptRunner((params) => hub.port.request("command/exec", params, { timeoutMs: 0 }), cwd);
}
