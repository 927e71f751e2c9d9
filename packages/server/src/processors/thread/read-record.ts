import type { ServerCore } from "../../features/open-core.ts";
import type { ThreadRecord } from "../../record/thread-record.ts";
import type { Thread } from "../../thread/thread.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";
import { notLoaded } from "./thread-errors.ts";

/** A thread, loaded or stored, for reading. */
export async function readRecord(
  core: ServerCore,
  threadId: string,
): Promise<{ record: ThreadRecord; thread: Thread | undefined }> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  await thread?.refresh();
  const record = thread?.record ?? (await core.store.read(threadId));
  if (!record) throw notLoaded(threadId);
  return { record, thread };
}
