import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ConversationSource, ConversationSummary, GetConversationSummaryParams } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import type { ServerCore } from "../features/open-core.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { unpackedPath } from "../store/rollout-files.ts";
import { summaryOf } from "../store/summary-of.ts";
import type { ThreadSummary } from "../store/thread-store.ts";

/** A summary of a stored thread, for clients of early versions. */
export const handlers: Handlers = {
  getConversationSummary: async (params, { server }) => {
    const core = coreOf(server);
    return { summary: wire(await ("rolloutPath" in params ? byPath(core, params.rolloutPath) : byId(core, params))) };
  },
};

async function byId(
  core: ServerCore,
  { conversationId }: Extract<GetConversationSummaryParams, { conversationId: string }>,
): Promise<ThreadSummary> {
  const loaded = core.threads.get(conversationId)?.record;
  if (loaded?.path && existsSync(loaded.path)) return summaryOf(loaded, loaded.path, false);
  const summary = await core.store.summary(conversationId);
  if (summary === undefined) throw invalidRequest(`no rollout found for conversation id ${conversationId}`);
  return summary;
}

async function byPath(core: ServerCore, given: string): Promise<ThreadSummary> {
  const path = resolve(core.server.home, given);
  if (!existsSync(path)) throw invalidRequest(`failed to resolve rollout path \`${path}\`: file does not exist`);
  try {
    const { record, archived } = await core.store.openPath(path);
    return summaryOf(record, path, archived);
  } catch (error) {
    throw invalidRequest(`failed to load conversation summary from \`${path}\`: ${(error as Error).message}`);
  }
}

function wire(summary: ThreadSummary): ConversationSummary {
  const { gitInfo, source } = summary;
  return {
    conversationId: summary.id,
    path: unpackedPath(summary.path),
    preview: summary.preview,
    timestamp: new Date(summary.createdAtMs).toISOString(),
    updatedAt: new Date(summary.updatedAtMs).toISOString(),
    modelProvider: summary.modelProvider,
    cwd: summary.cwd,
    cliVersion: summary.cliVersion,
    source: (source === "appServer" ? "mcp" : source) as ConversationSource,
    gitInfo: gitInfo && {
      sha: gitInfo.sha ?? null,
      branch: gitInfo.branch ?? null,
      origin_url: gitInfo.originUrl ?? null,
    },
  };
}
