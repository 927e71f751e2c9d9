import type {
  DynamicToolSpec,
  ResponseItem,
  ThreadForkParams,
  ThreadForkResponse,
  ThreadResumeParams,
  ThreadResumeResponse,
  ThreadStartParams,
  ThreadStartResponse,
} from "@quire/protocol";
import { violations } from "../../config/requirements.ts";
import type { Handlers, RequestScope } from "../../context/processor.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { newRecord } from "../../record/fold.ts";
import { textOf } from "../../record/model-items.ts";
import type { SessionMeta } from "../../record/rollout-line.ts";
import { chosenEnvironment } from "../../run/environments/choose-environment.ts";
import type { OpenedThread } from "../../store/thread-store.ts";
import { continueThread } from "../../thread/continue-thread.ts";
import { forkThread } from "../../thread/fork-thread.ts";
import { gitInfo } from "../../thread/git-info.ts";
import { withoutIgnored } from "../../thread/ignored-settings.ts";
import { newMeta } from "../../thread/new-thread.ts";
import { nextSettings } from "../../thread/next-settings.ts";
import { openSettings, sandboxPolicy } from "../../thread/open-settings.ts";
import { itemsEnd, turnsEnd, turnsPage } from "../../thread/pages.ts";
import type { Thread } from "../../thread/thread.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";
import { TurnTexts } from "../../thread/turn-texts.ts";
import { wireProfile, wireSettings, wireThread } from "../../thread/wire-thread.ts";
import { checkDynamicTools } from "../../tools/check-dynamic-tools.ts";
import { preamble } from "../../turn/send-context.ts";
import { notifyUsage } from "../../turn/usage.ts";
import { openNew } from "./open-new.ts";
import { archivedError, checkProject, noRollout } from "./thread-errors.ts";

/** Starting, resuming and leaving threads. */
export const handlers: Handlers = {
  "thread/start": start,
  "thread/resume": resume,
  "thread/fork": fork,
  "thread/unsubscribe": ({ threadId }, { connection, server }) => {
    checkThreadId(threadId);
    const thread = coreOf(server).threads.get(threadId);
    if (!thread) return { status: "notLoaded" };
    return { status: thread.leave(connection) ? "unsubscribed" : "notSubscribed" };
  },
};

function start(given: ThreadStartParams, scope: RequestScope): ThreadStartResponse | Promise<ThreadStartResponse> {
  const core = coreOf(scope.server);
  const params = withoutIgnored(core, given, scope.connection.facts?.name);
  if (params.projectId) checkProject(core, params.projectId);
  const place = chosenEnvironment(coreOf(scope.server).environments(), params.environments);
  const opened = openNew(core, { ...params, ...place });
  return opened instanceof Promise ? opened.then((known) => begin(scope, params, known)) : begin(scope, params, opened);
}

function begin(
  scope: RequestScope,
  params: ThreadStartParams,
  { settings, config }: ReturnType<typeof openSettings>,
): ThreadStartResponse {
  const core = coreOf(scope.server);
  const meta = newMeta(scope, {
    cwd: settings.cwd,
    modelProvider: settings.modelProvider,
    baseInstructions: params.baseInstructions ?? null,
    developerInstructions: params.developerInstructions ?? null,
    dynamicTools: checkedTools(params.dynamicTools),
    config: params.config ?? null,
    threadSource: params.threadSource ?? null,
    serviceName: params.serviceName ?? null,
    ...(params.historyMode && { historyMode: params.historyMode }),
  });
  const ephemeral = params.ephemeral === true;
  const rollout = ephemeral ? null : core.store.create(meta);
  const record = newRecord(meta, rollout?.path ?? null);
  const thread = core.threads.add({ record, rollout, settings, config, ephemeral });
  thread.rawEvents = params.experimentalRawEvents === true;
  if (params.projectId) joinProject(thread, params.projectId);
  thread.join(scope.connection);
  afterReply(() => {
    for (const message of preamble(thread).warnings) thread.notify("warning", { threadId: thread.id, message });
    scope.server.broadcast("thread/started", { thread: wireThread(thread) });
    reportRequirements(thread, params);
    reportConfig(core, scope, thread);
    thread.features.joined("start");
    findGit(thread);
  });
  return opened(thread);
}

/** Reports ignored configuration of a thread to the connection that opened it. */
function reportConfig({ warningReporter }: ServerCore, { connection }: RequestScope, thread: Thread): void {
  warningReporter.reportThread(connection, { config: thread.config, unreviewed: thread.features.warnings() });
}

/** Reports requested settings that are not allowed. */
function reportRequirements(thread: Thread, { approvalPolicy, sandbox }: ThreadStartParams): void {
  const { config, settings, id: threadId } = thread;
  if (!config.requirements) return;
  const asked = {
    approvalPolicy: approvalPolicy ?? settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandboxPolicy: sandbox ? sandboxPolicy(sandbox, config) : settings.sandboxPolicy,
  };
  for (const problem of violations(asked, config.requirements)) {
    thread.notify("warning", { threadId, message: `${problem}; what is allowed is used in its place` });
  }
}

/** Sends a thread's usage up to its last turn to the connection that opened it. */
function reportCost(thread: Thread, { connection }: RequestScope): void {
  const last = thread.record.turns.at(-1);
  if (last) notifyUsage(thread, last.id, connection);
}

function joinProject(thread: Thread, projectId: string): void {
  if (thread.ephemeral) thread.unstoredProject = projectId;
  else thread.core.state.tables.placements.setProject(thread.id, projectId);
}

/** A tool without a type is a function, as before there were namespaces. */
function checkedTools(given: readonly DynamicToolSpec[] | null | undefined): DynamicToolSpec[] {
  const tools = (given ?? []).map((tool) => ({ ...tool, type: tool.type ?? "function" }) as DynamicToolSpec);
  const problem = checkDynamicTools(tools);
  if (problem !== undefined) throw invalidRequest(problem);
  return tools;
}

async function resume(given: ThreadResumeParams, scope: RequestScope): Promise<ThreadResumeResponse> {
  const core = coreOf(scope.server);
  const params = withoutIgnored(core, given, scope.connection.facts?.name);
  const loaded = core.threads.get(params.threadId);
  if (loaded?.ephemeral) throw noRollout(params.threadId);
  if (loaded && params.history)
    throw invalidRequest(`cannot resume thread ${params.threadId} with history while it is already running`);
  const thread = await resumed(scope, params, loaded);
  const texts = params.excludeTurns ? undefined : await TurnTexts.of(thread.shownTurns());
  thread.join(scope.connection);
  if (!loaded) thread.setStatus({ type: "idle" });
  afterReply(() => {
    if (!(loaded && params.excludeTurns)) reportCost(thread, scope);
    thread.questions.replay(scope.connection);
    reportConfig(core, scope, thread);
    thread.features.joined("resume");
    if (!loaded) continueThread(thread);
  });
  const page = params.initialTurnsPage;
  const { settings, config } = nextSettings(thread);
  const result: ThreadResumeResponse = {
    ...opened(thread),
    collaborationMode: wireSettings(settings, config.raw).collaborationMode,
    initialTurnsPage: page ? turnsPage(thread.shownTurns(), page) : null,
    turnsBackwardsCursor: turnsEnd(thread.shownTurns()),
    itemsBackwardsCursor: itemsEnd(thread.shownTurns()),
  };
  return texts?.result("thread/resume", result, thread.shownTurns()) ?? result;
}

async function resumed(scope: RequestScope, params: ThreadResumeParams, loaded: Thread | undefined): Promise<Thread> {
  const core = coreOf(scope.server);
  if (loaded) {
    if (!loaded.stored) throw noRollout(params.threadId);
    await loaded.refresh();
    return loaded;
  }
  if (params.history) return fromHistory(scope, params, params.history);
  if (params.path) return fromPath(core, params, params.path);
  const summary = await core.store.summary(params.threadId).catch(() => undefined);
  if (summary?.archived) throw archivedError(params.threadId);
  const thread = await core.threads.load(params.threadId, params);
  if (!thread) throw noRollout(params.threadId);
  return thread;
}

async function fromPath(core: ServerCore, params: ThreadResumeParams, path: string): Promise<Thread> {
  const opened = await openPath(core, path);
  const { id } = opened.record.meta;
  if (opened.archived) throw archivedError(id);
  // Two files that both continue would be two histories of one thread.
  if (opened.storedIn) throw invalidRequest(`thread ${id} is stored in ${opened.storedIn}; resume it without a path`);
  const loaded = core.threads.get(id);
  if (loaded) return loaded;
  const { settings, config } = openSettings(core, params, opened.record);
  return core.threads.add({ record: opened.record, rollout: opened.rollout, settings, config, ephemeral: false });
}

/** A path that is no rollout is the client's mistake. */
async function openPath(core: ServerCore, path: string): Promise<OpenedThread> {
  try {
    return await core.store.openPath(path);
  } catch (error) {
    throw invalidRequest(errorMessage(error));
  }
}

/** A thread made from a client's history. */
function fromHistory(scope: RequestScope, params: ThreadResumeParams, history: readonly ResponseItem[]): Thread {
  const core = coreOf(scope.server);
  const { settings, config } = openSettings(core, params);
  const meta: SessionMeta = newMeta(scope, { cwd: settings.cwd, modelProvider: settings.modelProvider });
  const rollout = core.store.create(meta);
  const thread = core.threads.add({
    record: newRecord(meta, rollout.path),
    rollout,
    settings,
    config,
    ephemeral: false,
  });
  thread.inject(history);
  const first = history.find((item) => item.type === "message" && item.role === "user");
  if (first?.type === "message") thread.record.preview = textOf(first);
  return thread;
}

async function fork(given: ThreadForkParams, scope: RequestScope): Promise<ThreadForkResponse> {
  const core = coreOf(scope.server);
  const params = withoutIgnored(core, given, scope.connection.facts?.name);
  checkThreadId(params.threadId);
  if (params.lastTurnId && params.beforeTurnId) throw invalidRequest("lastTurnId and beforeTurnId cannot be combined");
  if (params.ephemeral && !params.excludeTurns)
    throw invalidRequest("ephemeral thread fork requires `excludeTurns: true`");
  const source = await sourceRecord(core, params);
  const thread = await forkThread(core, scope, {
    source,
    settings: params,
    range: { lastTurnId: params.lastTurnId ?? null, beforeTurnId: params.beforeTurnId ?? null },
    ephemeral: params.ephemeral === true,
    changes: {
      threadSource: params.threadSource ?? null,
      ...(params.config && { config: { ...source.meta.quire?.config, ...params.config } }),
      ...(params.baseInstructions && { baseInstructions: params.baseInstructions }),
      ...(params.developerInstructions && { developerInstructions: params.developerInstructions }),
    },
  });
  const projectId =
    core.threads.get(params.threadId)?.unstoredProject ??
    core.state.existing?.placements.of([params.threadId]).get(params.threadId)?.projectId;
  if (projectId) joinProject(thread, projectId);
  const texts = params.excludeTurns ? undefined : await TurnTexts.of(thread.shownTurns());
  thread.join(scope.connection);
  afterReply(() => {
    if (!params.excludeTurns) reportCost(thread, scope);
    scope.server.broadcast("thread/started", { thread: wireThread(thread) });
    reportConfig(core, scope, thread);
    thread.features.joined("fork");
  });
  const result = opened(thread);
  return texts?.result("thread/fork", result, thread.shownTurns()) ?? result;
}

async function sourceRecord(core: ServerCore, { threadId, path }: ThreadForkParams) {
  if (path) return (await openPath(core, path)).record;
  const loaded = core.threads.get(threadId);
  if (loaded) {
    if (!loaded.stored) throw noRollout(threadId);
    await loaded.refresh();
    return loaded.record;
  }
  const summary = await core.store.summary(threadId);
  if (summary?.archived) throw archivedError(threadId);
  const record = await core.store.read(threadId);
  if (!record) throw noRollout(threadId);
  return record;
}

function opened(thread: Thread): ThreadStartResponse {
  const { settings, config } = nextSettings(thread);
  return {
    thread: wireThread(thread),
    model: settings.model,
    modelProvider: settings.modelProvider,
    serviceTier: settings.serviceTier,
    disabledPluginIds: [],
    cwd: settings.cwd,
    runtimeWorkspaceRoots: [...settings.runtimeWorkspaceRoots],
    instructionSources: [...preamble(thread).sources],
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandbox: settings.sandboxPolicy,
    activePermissionProfile: wireProfile(settings, config.raw),
    reasoningEffort: settings.effort,
    multiAgentMode: settings.multiAgentMode,
  };
}

/** Looks up the git state of a new thread's folder in the background, since it takes processes. */
function findGit(thread: Thread): void {
  gitInfo(thread.settings.cwd)
    .then((found) => found && thread.setGitInfo(found))
    // Also where the thread, or its folder, is gone by now.
    .catch((error: unknown) => thread.core.server.log.debug("git info is not known", error));
}
