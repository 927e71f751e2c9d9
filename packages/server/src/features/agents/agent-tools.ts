import type { CollabAgentTool, CollabAgentToolCallStatus, FunctionCallOutputBody } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import type { Thread } from "../../thread/thread.ts";
import { isThreadId } from "../../thread/thread-manager.ts";
import { Arguments } from "../../tools/arguments.ts";
import type { Tool, ToolGroup } from "../../tools/tool.ts";
import { agentModels } from "../../turn/route.ts";
import { agentInput, inputText } from "./agent-input.ts";
import { agentGroupWith, agentNamespace, agentSpecs } from "./agent-specs.ts";
import { type AgentStatus, isFinal, stateOf, statusOf } from "./agent-status.ts";
import { closeAgent, deliverInput, resumeAgent, spawnAgent } from "./agents.ts";
import { loadedAgent } from "./tree.ts";

const defaultWaitMs = 30_000;
const minWaitMs = 10_000;
const maxWaitMs = 3_600_000;

interface Shown {
  readonly tool: CollabAgentTool;
  readonly receivers: readonly string[];
  readonly prompt?: string | null;
  readonly model?: string | null;
  readonly effort?: string | null;
}

interface Done {
  readonly output: unknown;
  readonly states: Readonly<Record<string, AgentStatus>>;
  readonly receivers?: readonly string[];
  readonly model?: string | null;
  readonly status?: CollabAgentToolCallStatus;
}

/** The tools with which a thread's model works through agents. */
export function agentTools(thread: Thread): ToolGroup {
  const runs = new Map<string, Tool["run"]>(
    Object.entries<Tool["run"]>({
      spawn_agent: (call, context) => spawn(thread, call, context),
      wait_agent: (call, context) => wait(thread, call, context),
      send_input: (call, context) => send(thread, call, context),
      close_agent: (call, context) => close(thread, call, context),
      resume_agent: (call, context) => resume(thread, call, context),
    }),
  );
  return {
    spec: agentGroupWith(agentModels(thread.config.raw)),
    deferred: true,
    dispensable: true,
    tools: agentSpecs.map((spec) => {
      const name = String(spec.name);
      return { spec: undefined, name, namespace: agentNamespace, run: runs.get(name) as Tool["run"] };
    }),
  };
}

function spawn(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const input = agentInput(args, context);
  const effort = args.text("reasoning_effort") ?? null;
  const model = args.text("model") ?? null;
  const shownEffort = effort ?? thread.settings.effort ?? "medium";
  const shown: Shown = {
    tool: "spawnAgent",
    receivers: [],
    prompt: inputText(input),
    model: model ?? "",
    effort: shownEffort,
  };
  return shownAs(shown, { call, context }, async () => {
    const child = spawnAgent(thread, {
      input,
      model,
      effort,
      fork: args.flag("fork_context") ?? false,
      rootTurnId: context.turnId,
    });
    const nickname = child.record.meta.quire?.agentNickname ?? null;
    return {
      output: { agent_id: child.id, nickname },
      states: { [child.id]: "pending_init" },
      receivers: [child.id],
      model: child.settings.model,
    };
  });
}

function wait(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const targets = args.texts("targets").map(agentId);
  if (targets.length === 0) throw new ToolFailure("agent ids must be non-empty");
  const timeoutMs = Math.min(maxWaitMs, Math.max(minWaitMs, args.count("timeout_ms") ?? defaultWaitMs));
  return shownAs({ tool: "wait", receivers: targets }, { call, context }, async () => {
    const threads = targets.map((id) => loadedAgent(thread, id));
    const finished = () => targets.filter((_, index) => isFinal(statusOf(threads[index])));
    if (finished().length === 0) await firstEnd(threads, timeoutMs, context.signal);
    const done = finished();
    const states = Object.fromEntries(done.map((id) => [id, statusOf(loadedAgent(thread, id))]));
    const lost = Object.values(states).some(
      (status) => status === "not_found" || (typeof status === "object" && "errored" in status),
    );
    return { output: { status: states, timed_out: done.length === 0 }, states, status: lost ? "failed" : "completed" };
  });
}

function send(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const target = agentId(args.requiredText("target"));
  const input = agentInput(args, context);
  return shownAs({ tool: "sendInput", receivers: [target], prompt: inputText(input) }, { call, context }, async () => {
    const child = loaded(thread, target);
    const before = statusOf(child);
    const submission_id = await deliverInput(thread, child, {
      input,
      interrupt: args.flag("interrupt") ?? false,
      rootTurnId: context.turnId,
    });
    return { output: { submission_id }, states: { [target]: before } };
  });
}

function close(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const target = agentId(new Arguments(call).requiredText("target"));
  return shownAs({ tool: "closeAgent", receivers: [target] }, { call, context }, async () => {
    const child = loaded(thread, target);
    const previous = statusOf(child);
    await closeAgent(child);
    return { output: { previous_status: previous }, states: { [target]: previous } };
  });
}

function resume(thread: Thread, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const id = agentId(new Arguments(call).requiredText("id"));
  return shownAs({ tool: "resumeAgent", receivers: [id] }, { call, context }, async () => {
    if (!(await resumeAgent(thread, id))) throw new AgentNotFound(id);
    return { output: { status: "pending_init" }, states: { [id]: "pending_init" } };
  });
}

/** Runs a call with its item, which is completed in any case. */
async function shownAs(
  shown: Shown,
  { call, context }: { call: ToolCall; context: ToolContext },
  run: () => Promise<Done>,
): Promise<string> {
  const item = {
    type: "collabAgentToolCall" as const,
    id: call.callId,
    tool: shown.tool,
    senderThreadId: context.threadId,
    receiverThreadIds: [...shown.receivers],
    prompt: shown.prompt ?? null,
    model: shown.model ?? null,
    reasoningEffort: shown.effort ?? null,
    agentsStates: {},
    status: "inProgress" as const,
    startedAtMs: Date.now(),
  };
  context.startItem(item);
  try {
    const done = await run();
    context.completeItem({
      ...item,
      receiverThreadIds: [...(done.receivers ?? shown.receivers)],
      model: done.model ?? item.model,
      agentsStates: Object.fromEntries(Object.entries(done.states).map(([id, status]) => [id, stateOf(status)])),
      status: done.status ?? "completed",
    });
    return JSON.stringify(done.output);
  } catch (error) {
    const missing = error instanceof AgentNotFound ? shown.receivers : [];
    const agentsStates = Object.fromEntries(missing.map((id) => [id, stateOf("not_found")]));
    context.completeItem({ ...item, agentsStates, status: context.signal.aborted ? "interrupted" : "failed" });
    throw error;
  }
}

function loaded(thread: Thread, id: string): Thread {
  const child = loadedAgent(thread, id);
  if (!child) throw new AgentNotFound(id);
  return child;
}

class AgentNotFound extends ToolFailure {
  constructor(id: string) {
    super(`agent with id ${id} not found`);
  }
}

function agentId(text: string): string {
  if (!isThreadId(text)) throw new ToolFailure(`invalid agent id ${text}: it is not a UUID`);
  return text;
}

/** Resolves when a turn of one of the threads ends or time is up. Rejects when the signal aborts. */
async function firstEnd(
  threads: readonly (Thread | undefined)[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  const aborted = () => reject(signal.reason);
  signal.addEventListener("abort", aborted, { once: true });
  for (const thread of threads) void (thread?.active?.done ?? Promise.resolve()).then(resolve);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", aborted);
  }
}
