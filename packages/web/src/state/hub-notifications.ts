import type { ServerNotifications, Thread, ThreadItem, UserInput } from "@quire/protocol";
import { legacyEventPrefix } from "@quire/protocol/versions";
import { checkpointOf } from "./checkpoints.ts";
import type { HubStore, OpenThread } from "./hub-store.ts";
import type { ThreadKey } from "./model.ts";
import type { Resolution } from "./pending-requests.ts";

/** Events that the page gets at once, besides the state. */
export interface HubEvents {
  turnEnded(key: ThreadKey, status: "completed" | "interrupted" | "failed" | "inProgress"): void;
  /** A message that belongs to no thread. */
  message(level: "info" | "warning" | "error", text: string): void;
  threadDeleted(key: ThreadKey): void;
}

type Context = { readonly hub: HubStore; readonly events: HubEvents; readonly nowMs: number };

type Handlers = {
  readonly [M in keyof ServerNotifications]?: (context: Context, params: ServerNotifications[M]) => void;
};

/** Previews are one line in a list; longer ones are cut as servers do. */
const previewLength = 500;

/** Handlers of notifications that concern lists, questions and meters. A thread's content is folded by its view. */
const handlers: Handlers = {
  "thread/started": ({ hub }, { thread }) => {
    hub.threads.put(thread, { listed: !isInternal(thread) });
  },
  "thread/status/changed": (context, { threadId, status }) => {
    const record = known(context, threadId);
    record?.update({ status });
    if (status.type !== "active") record?.set({ activeTurn: null });
  },
  "thread/name/updated": (context, { threadId, threadName }) =>
    known(context, threadId)?.update({ name: threadName ?? null }),
  "thread/archived": (context, { threadId }) => known(context, threadId)?.set({ archived: true, unread: false }),
  "thread/unarchived": (context, { threadId }) => known(context, threadId)?.set({ archived: false, listed: true }),
  "thread/closed": (context, { threadId }) => {
    const record = known(context, threadId);
    record?.update({ status: { type: "notLoaded" } });
    record?.set({ activeTurn: null });
  },
  "thread/deleted": ({ hub, events }, { threadId }) => {
    hub.threads.records.delete(threadId);
    hub.open.delete(threadId);
    events.threadDeleted({ hub: hub.id, thread: threadId });
  },
  "turn/started": (context, { threadId, turn }) => {
    const record = known(context, threadId);
    record?.set({ activeTurn: turn.id, failed: false });
    record?.happened(context.nowMs);
    lookForBranch(context, threadId);
    // A turn that is followed from its beginning need not be loaded when the thread is shown.
    if (!context.hub.open.has(threadId)) context.hub.openThread(threadId);
    void checkpointOf(context.hub, threadId, turn.id);
  },
  "turn/completed": (context, { threadId, turn }) => {
    const { hub, events } = context;
    const record = known(context, threadId);
    record?.set({ activeTurn: null, failed: turn.status === "failed" });
    record?.happened(context.nowMs);
    lookForBranch(context, threadId);
    hub.pending.turnEnded(threadId, turn.id, turn.status === "interrupted");
    countWaiting(hub, threadId);
    events.turnEnded({ hub: hub.id, thread: threadId }, turn.status);
    if (hub.open.get(threadId)?.shown === false) hub.open.delete(threadId);
  },
  "item/completed": (context, { threadId, item }) => {
    const wasRun = ranOf(item);
    if (wasRun !== null) context.hub.pending.itemEnded(threadId, item.id, wasRun);
    if (item.type === "userMessage") describePreview(context, threadId, item.content);
    if (item.type === "collabAgentToolCall") for (const id of item.receiverThreadIds) known(context, id);
  },
  "serverRequest/resolved": ({ hub }, params) => {
    const { threadId, requestId } = params;
    // The gateway says which page answered; a server does not.
    hub.pending.resolved(String(requestId), params as Resolution);
    countWaiting(hub, threadId);
  },
  "account/rateLimits/updated": ({ hub }, { rateLimits }) => hub.setRateLimits(rateLimits),
  "account/updated": ({ hub }) => hub.accountChanged(),
  "account/login/completed": ({ hub, events }, { success, error }) => {
    if (success) hub.accountChanged();
    else events.message("error", error ?? "The login failed");
  },
  // The details name the remedy.
  configWarning: ({ events }, { summary, details }) =>
    events.message("warning", details ? `${summary} ${details}` : summary),
  warning: ({ events }, { threadId, message }) => {
    if (threadId === null || threadId === undefined) events.message("warning", message);
  },
};

/** Handles a notification of a hub: for lists and questions, and for the content of its thread. */
export function takeNotification(context: Context, method: string, params: unknown): void {
  // Servers before 0.118 send every event twice.
  if (method.startsWith(legacyEventPrefix)) return;
  const handle = (Object.hasOwn(handlers, method) ? handlers[method as keyof Handlers] : undefined) as
    | ((context: Context, params: unknown) => void)
    | undefined;
  const { hub } = context;
  const threadId = threadOf(params);
  // Content comes first: the end of a turn releases threads that are not shown.
  if (threadId !== null && isProgress(method)) hub.pending.turnContinued(threadId);
  const folded = threadId !== null && fold(hub.open.get(threadId), method, params);
  handle?.(context, params);
  if (threadId !== null && !folded) fold(hub.open.get(threadId), method, params);
  if (handle === undefined) hub.contentChanged();
  else hub.changed();
}

/** True for a notification in the middle of a turn. */
const isProgress = (method: string): boolean => method.startsWith("item/") && method !== "item/completed";

/** Keeps a thread's count of open questions right. */
export function countWaiting(hub: HubStore, threadId: string): void {
  hub.threads.records.get(threadId)?.set({ waiting: hub.pending.waiting(threadId) });
}

function fold(open: OpenThread | undefined, method: string, params: unknown): boolean {
  if (open === undefined) return false;
  open.applyNotification(method, params);
  return true;
}

/** The record of a thread; one that is not known is looked up, and is there a moment later. */
function known({ hub }: Context, threadId: string): ReturnType<typeof hub.threads.find> {
  const record = hub.threads.find(threadId);
  if (record === undefined) void hub.threads.lookUp(threadId);
  return record;
}

/** A server may need longer for the branch than for a short turn. */
const branchLookMs = 2000;

/** Servers look up the branch while a new thread already runs, and send no notification of it. */
function lookForBranch({ hub }: Pick<Context, "hub">, threadId: string): void {
  const record = hub.threads.find(threadId);
  if (!hub.ready || record?.flags.listed !== true || !record.mayHaveBranch()) return;
  // The number of tries is bounded, so these timers end.
  const again = (): void => void setTimeout(() => lookForBranch({ hub }, threadId), branchLookMs);
  void hub.threads.lookUp(threadId).then(again);
}

function describePreview(context: Context, threadId: string, content: readonly UserInput[]): void {
  const record = known(context, threadId);
  if (record === undefined || record.thread.preview !== "") return;
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  record.update({ preview: text.trim().slice(0, previewLength) });
}

/** True if the command or change that needed an answer was carried out; null where its end does not say. */
function ranOf(item: ThreadItem): boolean | null {
  if (item.type !== "commandExecution" && item.type !== "fileChange") return null;
  if (item.status === "declined") return false;
  const ran = item.type === "commandExecution" ? item.exitCode != null : item.status === "completed";
  return ran ? true : null;
}

function threadOf(params: unknown): string | null {
  const { threadId } = (params ?? {}) as { readonly threadId?: unknown };
  return typeof threadId === "string" ? threadId : null;
}

/** Helpers of the server itself, such as the one that shortens a history, are no threads of the user. */
function isInternal({ source, ephemeral }: Thread): boolean {
  if (ephemeral) return true;
  return typeof source === "object" && "subAgent" in source && typeof source.subAgent === "string";
}
