import type { Handlers } from "../../context/processor.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { invalidParams } from "../../lib/rpc-errors.ts";
import { isThreadId } from "../../thread/thread-manager.ts";

const defaultPage = 100;
/** Longest payload as JSON: every list includes it. */
const maxPayload = 1024 * 1024;

/** Attachments of threads. */
export const handlers: Handlers = {
  "thread/attachment/add": async ({ threadId, attachmentType, identityKey, payload }, { server }) => {
    const core = coreOf(server);
    checkWords({ attachmentType, identityKey });
    await checkStored(core, threadId);
    if (JSON.stringify(payload ?? null).length > maxPayload)
      throw invalidParams(`payload exceeds ${maxPayload} characters of JSON; keep it elsewhere and attach where it is`);
    const { attachments } = core.state.tables;
    const known = attachments.get(threadId, attachmentType, identityKey);
    if (known) return { outcome: "existing", attachment: known };
    const attachment = attachments.add(threadId, { attachmentType, identityKey, payload });
    const change = { threadId, attachmentType, identityKey, attachmentId: attachment.id };
    server.broadcast("thread/attachment/updated", { ...change, operation: "created" });
    return { outcome: "created", attachment };
  },

  "thread/attachment/remove": ({ threadId, attachmentType, identityKey }, { server }) => {
    const core = coreOf(server);
    checkWords({ attachmentType, identityKey });
    checkId(threadId);
    const known = core.state.existing?.attachments.get(threadId, attachmentType, identityKey);
    if (!known) return {};
    core.state.tables.attachments.remove(known.id);
    const change = { threadId, attachmentType, identityKey, attachmentId: known.id };
    server.broadcast("thread/attachment/updated", { ...change, operation: "deleted" });
    return {};
  },

  "thread/attachment/list": ({ threadId, cursor, limit }, { server }) => {
    checkId(threadId);
    const all = coreOf(server).state.existing?.attachments.list(threadId) ?? [];
    return paged(all, ({ id }) => id, { cursor, limit });
  },

  "thread/attachmentOwner/list": async ({ attachmentType, identityKey, archived, cursor, limit }, { server }) => {
    const core = coreOf(server);
    checkWords({ attachmentType, identityKey });
    const ids = core.state.existing?.attachments.owners(attachmentType, identityKey) ?? [];
    const owners = await Promise.all(
      ids.map(async (threadId) => ({ threadId, archived: (await core.store.summary(threadId))?.archived === true })),
    );
    const asked = archived ?? null;
    const wanted = asked === null ? owners : owners.filter((owner) => owner.archived === asked);
    return paged(wanted, ({ threadId }) => threadId, { cursor, limit });
  },
};

interface Page {
  readonly cursor?: string | null | undefined;
  readonly limit?: number | null | undefined;
}

/** A page of a list ordered by keys; a cursor is the last key of the page before. */
function paged<T>(all: readonly T[], key: (entry: T) => string, { cursor, limit }: Page) {
  const after = cursor ?? null;
  if (after !== null && !isThreadId(after)) throw invalidParams("invalid pagination cursor");
  const rest = after === null ? all : all.filter((entry) => key(entry) > after);
  const data = rest.slice(0, Math.max(1, limit ?? defaultPage));
  const last = data.at(-1);
  return { data, nextCursor: last !== undefined && rest.length > data.length ? key(last) : null };
}

function checkWords(words: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(words)) {
    if (text.trim() === "") throw invalidParams(`${name} must not be empty`);
  }
}

function checkId(threadId: string): void {
  if (!isThreadId(threadId)) throw invalidParams(`invalid thread id: ${JSON.stringify(threadId)} is no UUID`);
}

async function checkStored(core: ServerCore, threadId: string): Promise<void> {
  checkId(threadId);
  const thread = core.threads.get(threadId);
  const stored = thread ? thread.stored : await core.store.exists(threadId);
  if (!stored) throw invalidParams(`thread not found: ${threadId}`);
}
