import type { RpcError } from "@quire/jsonrpc";
import type { ServerCore } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { ThreadRecord } from "../../record/thread-record.ts";
import type { Thread } from "../../thread/thread.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";

/** Runs after the reply, so that its notifications do not come first. */
export function afterReply(work: () => void): void {
  setImmediate(work);
}

/** No stored thread has that id. */
export const noRollout = (threadId: string): RpcError => invalidRequest(`no rollout found for thread id ${threadId}`);

/** No thread, loaded or stored, has that id. */
export const notLoaded = (threadId: string): RpcError => invalidRequest(`thread not loaded: ${threadId}`);

/** The thread is archived, and what was asked needs one that is not. */
export const archivedError = (threadId: string): RpcError =>
  invalidRequest(`session ${threadId} is archived. Unarchive it first (thread/unarchive).`);

/** Refuses a project that does not exist. */
export function checkProject(core: ServerCore, projectId: string): void {
  if (!core.state.existing?.projects.get(projectId)) throw invalidRequest(`project not found: ${projectId}`);
}

/** A thread, loaded or stored, for reading. */
export async function readRecord(
  core: ServerCore,
  threadId: string,
): Promise<{ record: ThreadRecord; thread: Thread | undefined }> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  thread?.refresh();
  const record = thread?.record ?? (await core.store.read(threadId));
  if (!record) throw notLoaded(threadId);
  return { record, thread };
}
