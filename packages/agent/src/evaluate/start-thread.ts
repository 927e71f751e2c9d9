import { type CodexClient, ConnectionError, type ThreadHandle, type Tool } from "@quire/client";
import type { Logger } from "../lib/logger.ts";
import { CodexThread } from "../session/codex-thread.ts";
import type { Session } from "../session/session.ts";
import type { FullClientConfig } from "./client-config.ts";
import { AgentConfigError } from "./config-error.ts";
import type { EvaluateOptions, ThreadSource } from "./evaluation.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** Options for starting, resuming or forking a thread. */
export interface ThreadRequest {
  readonly client: CodexClient;
  readonly config: FullClientConfig;
  readonly model: AgentModelConfig;
  readonly cwd: string;
  readonly tools: readonly Tool[];
  readonly toolsFingerprint: string;
  readonly workspaceFingerprint: string | null;
  readonly session: Session;
  readonly options: Pick<EvaluateOptions, "resume" | "fork">;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The thread of an evaluation, and whether nothing was said on it yet. */
export interface StartedThread {
  readonly thread: ThreadHandle;
  readonly isFresh: boolean;
}

/** Gets the thread for an evaluation, and keeps in the session which it is. */
export async function startThread(request: ThreadRequest): Promise<StartedThread> {
  const started = await choose(request);
  const { session, cwd, workspaceFingerprint, toolsFingerprint } = request;
  session.seed(CodexThread({ threadId: started.thread.id, cwd, workspaceFingerprint, toolsFingerprint }));
  return started;
}

async function choose(request: ThreadRequest): Promise<StartedThread> {
  const { client, options, signal } = request;
  if (options.resume !== undefined && options.fork !== undefined)
    throw new AgentConfigError("resume and fork are alternatives: set one of them");
  const source = options.resume ?? options.fork;
  if (source !== undefined) {
    const thread = await resume(request, checkedId(source, request));
    if (options.fork === undefined) return { thread, isFresh: false };
    return { thread: await thread.fork({ ...settings(request) } as object, { signal }), isFresh: false };
  }
  const reused = await reuse(request);
  if (reused) return { thread: reused, isFresh: false };
  const { config, tools } = request;
  const thread = await client.thread({ ...settings(request), ephemeral: config.ephemeral, tools }, { signal });
  return { thread, isFresh: true };
}

/** A resumed thread keeps the tools that it was started with, so others would be shown than are served. */
function checkedId(source: ThreadSource, { toolsFingerprint }: ThreadRequest): string {
  if (typeof source === "string") return source;
  if (source.toolsFingerprint !== toolsFingerprint)
    throw new AgentConfigError("The thread was started with other tools than this prompt has: start a new one");
  return source.threadId;
}

/** The session's thread, if it was started with what is asked for now. Where it is gone, a new one is started. */
async function reuse(request: ThreadRequest): Promise<ThreadHandle | undefined> {
  const { config, session, cwd, workspaceFingerprint, toolsFingerprint, logger } = request;
  const known = config.reuseThread ? session.slice(CodexThread).latest() : null;
  const isSame =
    known?.cwd === cwd &&
    known.workspaceFingerprint === workspaceFingerprint &&
    known.toolsFingerprint === toolsFingerprint;
  if (!known || !isSame) return undefined;
  try {
    return await resume(request, known.threadId);
  } catch (error) {
    if (request.signal.aborted || (ConnectionError.is(error) && error.code === "closed")) throw error;
    logger.warn?.(`The thread ${known.threadId} could not be resumed, a new one is started`, error);
    return undefined;
  }
}

function resume(request: ThreadRequest, threadId: string): Promise<ThreadHandle> {
  const { client, tools, signal } = request;
  return client.resume(threadId, { ...settings(request), tools }, { signal });
}

/** The thread's settings; the server decides those that are not set. */
function settings({ config, model, cwd }: ThreadRequest) {
  const { approvalPolicy, sandbox, mcpServers } = config;
  return {
    cwd,
    approvalPolicy,
    ...(model.model !== null && model.model !== undefined && { model: model.model }),
    ...(sandbox !== undefined && { sandbox }),
    ...(mcpServers !== undefined && { config: { mcp_servers: mcpServers } }),
  };
}
