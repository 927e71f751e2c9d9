import type { ReasoningEffort, UserInput } from "@quire/protocol";
import { ToolFailure } from "../../approval/tool-context.ts";
import type { EffectiveConfig } from "../../config/effective-config.ts";
import { knownSoFar, madeBy } from "../../record/copy-record.ts";
import { newRecord } from "../../record/fold.ts";
import { newMeta } from "../../thread/new-thread.ts";
import { configFor } from "../../thread/open-settings.ts";
import type { Thread } from "../../thread/thread.ts";
import { answerInput } from "../../turn/model-loop.ts";
import { agentModels, roleModel, roleProvider, splitRoute } from "../../turn/route.ts";
import { startTurn } from "../../turn/start-turn.ts";
import { freeNickname } from "./nicknames.ts";
import { agentClosed, expectEnd, turnEnded } from "./notices.ts";
import { givePermissions, hasPermissionsOf } from "./permissions.ts";
import { childrenOf, isAgentOf } from "./tree.ts";

/** Maximum depth of agents, and number in one tree. */
const maxDepth = 1;
const maxOpen = 6;

/** The start of an agent. */
export interface NewAgent {
  readonly input: readonly UserInput[];
  readonly model: string | null;
  readonly effort: string | null;
  /** True to give it its parent's history. */
  readonly fork: boolean;
  readonly rootTurnId: string;
}

/** Starts an agent: a thread with its parent's settings and subscribers. */
export function spawnAgent(parent: Thread, agent: NewAgent): Thread {
  const { core } = parent;
  const depth = depthOf(parent) + 1;
  if (!maySpawn(parent)) throw new ToolFailure("Agent depth limit reached. Solve the task yourself.");
  checkRoom(parent);
  const names = childrenOf(parent).map((child) => child.record.meta.quire?.agentNickname ?? "");
  const nickname = freeNickname(new Set(names));
  const spawned = { parent_thread_id: parent.id, depth, agent_path: null, agent_nickname: nickname, agent_role: null };
  const { meta: parentMeta } = parent.record;
  const chosen = chosenModel(parent, agent.model);
  const ownModel = chosen.model ?? roleModel(parent, "agents");
  const config = agentConfig(parent, { ...chosen, model: ownModel });
  const meta = {
    ...newMeta(core, {
      ...parentMeta.quire,
      cwd: parent.settings.cwd,
      modelProvider: config.modelProvider,
      source: { subAgent: { thread_spawn: spawned } },
      sessionId: parentMeta.session_id ?? parent.id,
      parentThreadId: parent.id,
      agentNickname: nickname,
      agentRole: null,
    }),
    originator: parentMeta.originator,
    // The spelling of files differs from that of the wire.
    source: { subagent: { thread_spawn: spawned } },
  };
  const rollout = parent.ephemeral ? null : core.store.create(meta);
  const settings = {
    ...parent.settings,
    modelProvider: config.modelProvider,
    model: ownModel ?? (config === parent.config ? parent.settings : config).model,
    effort: (agent.effort as ReasoningEffort | null) ?? parent.settings.effort,
  };
  const child = core.threads.add({
    record: newRecord(meta, rollout?.path ?? null),
    rollout,
    settings,
    config,
    ephemeral: parent.ephemeral,
  });
  const known = agent.fork ? knownSoFar(parent.record, core.prompts.interrupted) : [];
  if (agent.fork) child.writeNow(madeBy(known, parentMeta.model_provider, meta.model_provider));
  for (const subscriber of parent.subscribers) child.join(subscriber);
  core.server.broadcast("thread/status/changed", { threadId: child.id, status: child.status });
  expectEnd(child);
  start(child, agent.input, agent.rootTurnId);
  return child;
}

/** The model that a call names, and its provider where the configuration allows agents that one. */
function chosenModel(parent: Thread, name: string | null): ChosenModel {
  const role = roleProvider(parent.config.raw, "agents");
  if (name === null || !agentModels(parent.config.raw).includes(name)) return { provider: role, model: name };
  return splitRoute(name);
}

interface ChosenModel {
  readonly provider: string | undefined;
  readonly model: string | null;
}

/** The configuration of an agent, if it has a provider or a model of its own. */
function agentConfig({ core, config, settings, record }: Thread, { provider, model }: ChosenModel): EffectiveConfig {
  const { id } = config.provider;
  const isOwn = provider !== undefined && provider !== id;
  if (!isOwn && (model === null || model === settings.model)) return config;
  const overrides = { ...record.meta.quire?.config, model_provider: provider ?? id };
  return configFor(core, { cwd: settings.cwd, overrides, model: model ?? undefined });
}

/** True when a thread may start agents: too deep a thread is not offered the tools. */
export function maySpawn(thread: Thread): boolean {
  return depthOf(thread) < limit(limitsOf(thread).max_depth, maxDepth);
}

/** More work for an agent. */
export interface MoreWork {
  readonly input: readonly UserInput[];
  /** True to drop what the agent is doing. */
  readonly interrupt: boolean;
  readonly rootTurnId: string;
}

/** Gives an agent more work, with the permissions that its parent has now. Returns the id of its turn. */
export async function deliverInput(parent: Thread, child: Thread, work: MoreWork): Promise<string> {
  if (work.interrupt) await child.active?.interrupt("there is something else to do");
  const { active } = child;
  if (active && !hasPermissionsOf(parent.settings, child.settings)) {
    throw new ToolFailure("The agent works with other permissions than you have now. Wait for it, or interrupt it.");
  }
  if (!active) {
    givePermissions(parent, child);
    return start(child, work.input, work.rootTurnId);
  }
  active.steer({ input: work.input, clientId: null });
  return active.id;
}

/** Ends an agent and those below it. Their threads stay stored. */
export async function closeAgent(child: Thread): Promise<void> {
  for (const below of childrenOf(child)) await closeAgent(below);
  agentClosed(child);
  await child.core.threads.unload(child.id);
  child.core.server.broadcast("thread/status/changed", { threadId: child.id, status: { type: "notLoaded" } });
}

/** Loads an agent that was closed, with the permissions that its parent has now. */
export async function resumeAgent(parent: Thread, id: string): Promise<Thread | undefined> {
  const { threads } = parent.core;
  if (!(await isAgentOf(parent, id))) return undefined;
  const loaded = threads.get(id);
  if (loaded) return loaded;
  checkRoom(parent);
  const child = await threads.load(id, {});
  if (!child) return undefined;
  givePermissions(parent, child);
  for (const subscriber of parent.subscribers) child.join(subscriber);
  child.setStatus({ type: "idle" });
  expectEnd(child);
  return child;
}

function checkRoom(parent: Thread): void {
  const most = limit(limitsOf(parent).max_threads, maxOpen);
  if (childrenOf(parent).length < most) return;
  throw new ToolFailure(`agent thread limit reached (max ${most}); close an agent first`);
}

function start(child: Thread, input: readonly UserInput[], rootTurnId: string): string {
  const request = { kind: "regular", outputSchema: null, metadata: {}, rootTurnId, serviceTier: null } as const;
  const { id } = startTurn(child, request, answerInput({ input, clientId: null }));
  void child.active?.done.then(() => turnEnded(child));
  return id;
}

function limitsOf({ config }: Thread): { readonly max_depth?: unknown; readonly max_threads?: unknown } {
  return (config.raw.agents as { max_depth?: unknown; max_threads?: unknown } | undefined) ?? {};
}

function depthOf(thread: Thread): number {
  const source = thread.record.meta.quire?.source;
  const spawned = typeof source === "object" && "subAgent" in source ? source.subAgent : undefined;
  return typeof spawned === "object" && "thread_spawn" in spawned ? spawned.thread_spawn.depth : 0;
}

const limit = (value: unknown, otherwise: number): number =>
  typeof value === "number" && value >= 0 ? value : otherwise;
