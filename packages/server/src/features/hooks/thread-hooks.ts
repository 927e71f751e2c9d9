import type { HookRunSummary } from "@quire/protocol";
import type { LayerWarning } from "../../config/layer.ts";
import { refusalOf } from "../../config/trust/refuse-program.ts";
import { findHooks } from "../../hooks/find-hooks.ts";
import type { FoundHooks, Hook } from "../../hooks/hook.ts";
import { type HookEvent, hookEvent, kebabName } from "../../hooks/hook-events.ts";
import { matches } from "../../hooks/hook-matcher.ts";
import { unreviewedHooks } from "../../hooks/unreviewed-hooks.ts";
import { toSeconds } from "../../lib/seconds.ts";
import { pluginHooks } from "../../plugins/contents.ts";
import { enabledPlugins } from "../../plugins/installed.ts";
import { commandVariables, environmentPolicy } from "../../run/process/command-variables.ts";
import { ownPathFirst } from "../../run/process/own-path.ts";
import { secretVariables } from "../../run/process/secret-variables.ts";
import type { Thread } from "../../thread/thread.ts";
import { fitOutput } from "./fit-output.ts";
import { readOutput, type Verdict } from "./read-output.ts";
import { type HookResult, runHookCommand } from "./run-hook-command.ts";

/** An event for which hooks may run. */
export interface Occasion {
  /** The name in {@link HookEvent}. */
  readonly event: string;
  readonly turnId?: string | undefined;
  /** For matchers. */
  readonly names?: readonly string[] | undefined;
  /** Input in addition to the common fields. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The combined verdict of an event's hooks. */
export interface HookOutcome {
  readonly contexts: readonly string[];
  readonly refusal: string | undefined;
  readonly stop: string | null | undefined;
  readonly feedback: readonly { readonly text: string; readonly hookRunId: string }[];
  readonly input: unknown;
  readonly allows: boolean;
}

const maxInBackground = 8;

/** The hooks of one thread. Owned by the thread, which ends them. */
export class ThreadHooks {
  readonly #thread: Thread;
  #found: FoundHooks;
  readonly #ending = new AbortController();
  readonly #background = new Set<Promise<void>>();
  /** Unseen output of background hooks for the model. */
  #late: string[] = [];
  /** The reason for the session's begin, for the next turn; `undefined` once its hooks have run. */
  begins: "startup" | "resume" | "clear" | "compact" | undefined;

  constructor(thread: Thread, begins: "startup" | "resume" | null) {
    this.#thread = thread;
    this.#found = this.#find();
    this.begins = begins ?? undefined;
  }

  /** Warnings about hooks that cannot run. */
  get warnings(): readonly string[] {
    return this.#found.warnings;
  }

  /** Warnings about a project's hooks that need an agreement or are gone. */
  get unreviewed(): readonly LayerWarning[] {
    return unreviewedHooks(this.#found);
  }

  /** Reads the hooks again for a new turn. */
  refresh(): void {
    this.#found = this.#find();
  }

  /** True when some hook would run. */
  has(event: string, names: readonly string[] = []): boolean {
    return this.#chosen(event, names).length > 0;
  }

  /** Runs the hooks of an event concurrently and notifies subscribers. Never rejects. */
  async run(occasion: Occasion): Promise<HookOutcome> {
    const chosen = this.#chosen(occasion.event, occasion.names ?? []);
    if (chosen.length === 0) return nothing;
    const event = hookEvent(occasion.event);
    const input = JSON.stringify(this.#input(event, occasion));
    for (const hook of chosen.filter((each) => each.async)) this.#inBackground(hook, input);
    const runs = await Promise.all(
      chosen.filter((each) => !each.async).map((hook) => this.#runOne(hook, input, occasion)),
    );
    return this.#together(runs);
  }

  takeLate(): readonly string[] {
    if (this.#late.length === 0) return this.#late;
    const late = this.#late;
    this.#late = [];
    return late;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#background);
  }

  #find(): FoundHooks {
    const { core, settings, config } = this.#thread;
    const { layers } = core.config.read({ cwd: settings.cwd });
    const plugins = enabledPlugins(core.config.home, config.raw).flatMap((plugin) => pluginHooks(plugin) ?? []);
    return findHooks({
      layers,
      folders: config.folders,
      home: core.config.home,
      plugins,
      requirements: config.requirements,
    });
  }

  #chosen(event: string, names: readonly string[]): Hook[] {
    return this.#found.hooks.filter(
      (hook) =>
        hook.event.name === event &&
        hook.enabled &&
        (hook.trustStatus === "trusted" || hook.trustStatus === "managed") &&
        (names.length === 0 || matches(hook.matcher, names)),
    );
  }

  #input(event: HookEvent, { turnId, details }: Occasion): object {
    const { id, settings, record, ephemeral } = this.#thread;
    const inTurn = event.scope === "turn";
    return {
      session_id: id,
      ...(inTurn && turnId !== undefined && { turn_id: turnId }),
      ...this.#agent(),
      transcript_path: ephemeral ? null : (record.path ?? null),
      cwd: settings.cwd,
      hook_event_name: event.name,
      ...(event.name !== "SessionEnd" && { model: settings.model }),
      ...(withMode.has(event.name) && {
        permission_mode: settings.approvalPolicy === "never" ? "bypassPermissions" : "default",
      }),
      ...details,
    };
  }

  #agent(): object {
    const { meta } = this.#thread.record;
    if (!meta.quire?.parentThreadId) return {};
    return { agent_id: meta.id, agent_type: meta.quire.agentRole ?? "default" };
  }

  async #runOne(hook: Hook, input: string, { turnId, callId, signal }: Occasion): Promise<Run> {
    const { id: threadId } = this.#thread;
    const startedAtMs = Date.now();
    const running = summary(hook, startedAtMs, callId);
    this.#thread.notify("hook/started", { threadId, turnId: turnId ?? null, run: running });
    const verdict = readOutput(hook, await this.#execute(hook, input, signal));
    const durationMs = Date.now() - startedAtMs;
    const completedAt = toSeconds(Date.now());
    const run = { ...running, status: verdict.status, entries: [...verdict.entries], completedAt, durationMs };
    this.#thread.notify("hook/completed", { threadId, turnId: turnId ?? null, run });
    return { hook, id: run.id, verdict };
  }

  #inBackground(hook: Hook, input: string): void {
    const turn = async () => {
      while (this.#background.size > maxInBackground) await Promise.race(this.#background);
      if (this.#ending.signal.aborted) return;
      const result = await this.#execute(hook, input, this.#ending.signal);
      const { context, entries } = readOutput(hook, result);
      if (context !== undefined) this.#late.push(fitOutput(context, hook.contextLimit));
      for (const { kind, text } of entries) {
        if (kind === "warning") this.#thread.notify("warning", { threadId: this.#thread.id, message: text });
      }
    };
    const done = turn().finally(() => this.#background.delete(done));
    this.#background.add(done);
  }

  async #execute(hook: Hook, input: string, signal: AbortSignal | undefined): Promise<HookResult> {
    const { command, tool, timeoutSec, env } = hook;
    if (tool !== null) {
      const { runHookTool } = await import("./run-mcp-tool.ts");
      return runHookTool(this.#thread, { tool, input, timeoutSec, signal });
    }
    const { core, config, settings, record } = this.#thread;
    const { cwd } = settings;
    const overrides = record.meta.quire?.config;
    const refusal = refusalOf(core.config, { cwd, overrides, program: { command, env }, startsIn: cwd });
    if (refusal !== undefined) return refusedHook(hook, refusal);
    // A hook is the user's own program and gets the whole environment, but for the keys of model providers.
    const policy = { ...environmentPolicy({}), ignoreDefaultExcludes: true };
    const inherited = commandVariables(policy, core.server.env, secretVariables(config));
    const own = {
      ...inherited,
      ...(inherited.PATH && { PATH: ownPathFirst(inherited.PATH, cwd, inherited.HOME) }),
      ...env,
    };
    return runHookCommand({ command, input, cwd, env: own, timeoutSec, signal });
  }

  #together(runs: readonly Run[]): HookOutcome {
    const verdicts = runs.map(({ verdict }) => verdict);
    const refusal = verdicts.find((each) => each.refusal !== undefined)?.refusal;
    return {
      contexts: runs.flatMap(({ hook, verdict }) =>
        verdict.context === undefined ? [] : [fitOutput(verdict.context, hook.contextLimit)],
      ),
      refusal,
      stop: verdicts.find((each) => each.stop !== undefined)?.stop,
      feedback: runs.flatMap(({ id, verdict }) =>
        verdict.feedback === undefined ? [] : [{ text: fitOutput(verdict.feedback), hookRunId: id }],
      ),
      input: refusal === undefined ? verdicts.findLast((each) => each.input !== undefined)?.input : undefined,
      allows: refusal === undefined && verdicts.some((each) => each.allows === true),
    };
  }
}

/** A call that a hook could not judge is refused. */
function refusedHook({ event }: Hook, why: string): HookResult {
  const judges = event.name === "PreToolUse";
  return { exitCode: judges ? 2 : null, stdout: "", stderr: why, error: judges ? null : why };
}

interface Run {
  readonly hook: Hook;
  readonly id: string;
  readonly verdict: Verdict;
}

const nothing: HookOutcome = {
  contexts: [],
  refusal: undefined,
  stop: undefined,
  feedback: [],
  input: undefined,
  allows: false,
};

/** Events whose hooks get the permission mode. */
const withMode: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "SessionStart",
  "SubagentStart",
  "SubagentStop",
  "UserPromptSubmit",
  "Stop",
  "Interrupt",
]);

function summary(hook: Hook, startedAtMs: number, callId: string | undefined): HookRunSummary {
  const id = `${kebabName(hook.event)}:${hook.displayOrder}:${hook.sourcePath}`;
  return {
    id: callId === undefined ? id : `${id}:${callId}`,
    eventName: hook.event.wire,
    handlerType: hook.tool ? "mcpTool" : "command",
    executionMode: "sync",
    scope: hook.event.scope,
    sourcePath: hook.sourcePath,
    source: hook.source,
    displayOrder: hook.displayOrder,
    status: "running",
    statusMessage: hook.statusMessage,
    startedAt: toSeconds(startedAtMs),
    completedAt: null,
    durationMs: null,
    entries: [],
  };
}
