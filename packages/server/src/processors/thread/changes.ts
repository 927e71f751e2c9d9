import { dirname, isAbsolute } from "node:path";
import type { GitInfo, ResponseItem, ThreadMetadataGitInfoUpdateParams } from "@quire/protocol";
import { validateType } from "@quire/protocol/validate";
import type { Handlers } from "../../context/processor.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { invalidParams, invalidRequest } from "../../lib/rpc-errors.ts";
import { applyLine } from "../../record/fold.ts";
import type { NewLine } from "../../record/rollout-line.ts";
import { event } from "../../record/rollout-line.ts";
import { applySettings } from "../../thread/apply-settings.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";
import { fromRecord, fromSummary, wireThread, withPlacement } from "../../thread/wire-thread.ts";
import { readTextIfAny } from "../../workspace-files/read-file.ts";
import { within } from "../../workspace-files/root.ts";
import { checkProject, noRollout } from "./thread-errors.ts";

/** Changing what a thread is called, where it is kept, and how its turns run. */
export const handlers: Handlers = {
  "thread/archive": async ({ threadId }, { server }) => {
    const core = coreOf(server);
    await release(core, threadId);
    if (!(await core.store.archive(threadId))) throw noRollout(threadId);
    afterReply(() => server.broadcast("thread/archived", { threadId }));
    return {};
  },

  "thread/unarchive": async ({ threadId }, { server }) => {
    const core = coreOf(server);
    checkThreadId(threadId);
    if (!(await core.store.unarchive(threadId)))
      throw invalidRequest(`no archived rollout found for thread id ${threadId}`);
    const summary = await core.store.summary(threadId);
    if (!summary) throw noRollout(threadId);
    afterReply(() => server.broadcast("thread/unarchived", { threadId }));
    return { thread: withPlacement(core, fromSummary(summary)) };
  },

  "thread/delete": async ({ threadId }, { server }) => {
    const core = coreOf(server);
    checkThreadId(threadId);
    if (core.threads.get(threadId)?.ephemeral)
      throw invalidRequest(`thread is not persisted and cannot be deleted: ${threadId}`);
    await release(core, threadId);
    if (!(await core.store.delete(threadId))) throw noRollout(threadId);
    core.state.forget(threadId);
    afterReply(() => server.broadcast("thread/deleted", { threadId }));
    return {};
  },

  "thread/name/set": async ({ threadId, name: given }, { server }) => {
    checkThreadId(threadId);
    const name = given.trim();
    if (name === "") throw invalidRequest("thread name must not be empty");
    await change(coreOf(server), threadId, event({ kind: "name", name }));
    afterReply(() => server.broadcast("thread/name/updated", { threadId, threadName: name }));
    return {};
  },

  "thread/prepareApprovedPlan": ({ threadId, markdown, attachmentPath }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    if (attachmentPath && !isAbsolute(attachmentPath))
      throw invalidParams("`attachmentPath` must be absolute on the app server");
    if (markdown.trim() === "") throw invalidRequest("The approved plan is empty.");
    // A copy that has changed since is not what the user has approved.
    if (attachmentPath && isCopyOf(markdown, attachmentPath))
      return { prompt: `Read the approved plan at ${attachmentPath} and implement it.` };
    // As the output of a tool: a plan may quote what a user or a page has said.
    thread.inject([{ type: "function_call_output", name: "proposed_plan", namespace: "agent", output: markdown }]);
    return { prompt: "Implement the plan." };
  },

  "thread/metadata/update": async ({ threadId, gitInfo, projectId }, { server }) => {
    const core = coreOf(server);
    checkThreadId(threadId);
    const given = projectId ?? null;
    if (!gitInfo && given === null) throw invalidRequest("thread metadata update must include at least one field");
    if (gitInfo) checkGitUpdate(gitInfo);
    if (given) checkProject(core, given);
    const before = core.threads.get(threadId)?.record ?? (await core.store.read(threadId));
    if (!before) throw noRollout(threadId);
    const merged = gitInfo ? mergeGit(before.gitInfo, gitInfo) : before.gitInfo;
    const record = gitInfo ? await change(core, threadId, event({ kind: "git_info", gitInfo: merged })) : before;
    const thread = core.threads.get(threadId);
    if (given !== null) putIntoProject(core, threadId, given || null);
    return {
      thread: thread ? { ...wireThread(thread), canAcceptDirectInput: null } : withPlacement(core, fromRecord(record)),
    };
  },

  // Only Codex makes memories; where both use one home, it reads here that it is not to.
  "thread/memoryMode/set": async ({ threadId, mode }, { server }) => {
    const core = coreOf(server);
    checkThreadId(threadId);
    const { meta } = core.threads.get(threadId)?.record ?? (await core.store.read(threadId)) ?? {};
    if (!meta) throw noRollout(threadId);
    await change(core, threadId, { type: "session_meta", payload: { ...meta, memory_mode: mode }, quire: true });
    return {};
  },

  "thread/settings/update": ({ threadId, ...overrides }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const changed = applySettings(thread, overrides);
    if (changed) afterReply(changed);
    return {};
  },

  "thread/inject_items": ({ threadId, items }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    if (items.length === 0) throw invalidRequest("items must not be empty");
    const known = items.filter(isKnownItem);
    if (known.length > 0) thread.inject(known);
    return {};
  },
};

function isCopyOf(text: string, path: string): boolean {
  const access = { ...within(dirname(path)), maxBytes: Buffer.byteLength(text) };
  return readTextIfAny(path, access) === text;
}

/** Refuses malformed items and drops those of unknown kinds, as Codex does: models would refuse them. */
function isKnownItem(item: unknown, index: number): item is ResponseItem {
  const verdict = validateType("ResponseItem", item);
  if (verdict.ok) return (item as ResponseItem).type !== "other";
  const [issue] = verdict.issues;
  if (issue?.path === "ResponseItem.type" && typeof (item as { type?: unknown }).type === "string") return false;
  throw invalidRequest(`items[${index}] is not a valid response item: ${issue?.message}`);
}

/** Moves a stored thread into a project, or out of any, and notifies all clients. */
function putIntoProject(core: ServerCore, threadId: string, projectId: string | null): void {
  const thread = core.threads.get(threadId);
  if (thread?.ephemeral) throw invalidRequest(`ephemeral thread does not support metadata updates: ${threadId}`);
  thread?.materialize();
  core.state.tables.placements.setProject(threadId, projectId);
  core.server.broadcast("thread/project/updated", { threadId, projectId });
}

/** Unloads a thread, so that its file can be moved. */
async function release(core: ServerCore, threadId: string): Promise<void> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  if (!thread || thread.ephemeral) return;
  // Before anything ends here: what runs in another process would have it refused.
  if (!thread.active) core.store.checkFree(threadId);
  thread.materialize();
  await core.threads.unload(threadId);
  core.server.broadcast("thread/status/changed", { threadId, status: { type: "notLoaded" } });
}

async function change(core: ServerCore, threadId: string, line: NewLine) {
  const thread = core.threads.get(threadId);
  if (thread) {
    if (thread.ephemeral) throw invalidRequest(`ephemeral thread does not support metadata updates: ${threadId}`);
    thread.writeNow([line]);
    return thread.record;
  }
  const opened = await core.store.open(threadId);
  // Notes can be added to an archived thread; its name stays, as in Codex.
  const isNote = line.type !== "thread_event" || line.payload.kind !== "name";
  if (!opened || (opened.archived && !isNote)) throw noRollout(threadId);
  opened.rollout.append([line]);
  // Writing unpacks a compressed file.
  const record = { ...opened.record, path: opened.rollout.path };
  applyLine(record, line);
  core.store.changed(record);
  return record;
}

function checkGitUpdate(update: ThreadMetadataGitInfoUpdateParams): void {
  const fields = ["sha", "branch", "originUrl"] as const;
  if (fields.every((field) => update[field] === undefined))
    throw invalidRequest("gitInfo must include at least one field");
  for (const field of fields) {
    if (update[field]?.trim() === "") throw invalidRequest(`gitInfo.${field} must not be empty`);
  }
}

/** An omitted field stays, `null` removes it. */
function mergeGit(before: GitInfo | null, update: ThreadMetadataGitInfoUpdateParams): GitInfo | null {
  const pick = (field: "sha" | "branch" | "originUrl") =>
    update[field] === undefined ? (before?.[field] ?? null) : (update[field]?.trim() ?? null);
  const merged = { sha: pick("sha"), branch: pick("branch"), originUrl: pick("originUrl") };
  return merged.sha === null && merged.branch === null && merged.originUrl === null ? null : merged;
}
