import { visibleText } from "@quire/protocol";
import type { Logger } from "../events/events.ts";
import type { RunError } from "../events/run-error.ts";
import { toRunError } from "../events/run-error.ts";
import type { RunOutcome } from "../events/snapshot.ts";
import type { Executor, WorkspaceKeeper } from "../executor/executor.ts";
import type { Clock } from "../lib/clock.ts";
import { AgentSession } from "../session/agent-session.ts";
import { oneLine } from "../session/describe.ts";
import type { Issue } from "../tracker/issue.ts";
import type { Workflow } from "../workflow/load-workflow.ts";
import { continuationPrompt } from "../workflow/prompt.ts";
import { childEnvironment, shellCommand } from "./child-environment.ts";
import { ineligibleReason } from "./eligibility.ts";
import { type RunListener, RunState } from "./run-state.ts";
import { StopRun } from "./stop-run.ts";

/** Options of {@link Run}. */
export interface RunOptions {
  readonly runId: string;
  /** 1 for the issue's first. */
  readonly number: number;
  readonly issue: Issue;
  readonly attempt: number;
  /** As it was when the run began; what changes later is for later runs. */
  readonly workflow: Workflow;
  /** The folder in which the issue's workspace is or will be. */
  readonly root: string;
  /** Machine that the run is on. */
  readonly executor: Executor;
  /** Brings what was pushed into a workspace that is new. */
  readonly restore: (workspace: string) => Promise<void>;
  /** Of an issue whose pull request needs changes: what it needs, and the thread that goes on with it. */
  readonly rework?: { readonly feedback: string; readonly threadId: string | null } | undefined;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the `quire` program, for commands that name it. */
  readonly quire: string | undefined;
  readonly listener: RunListener;
  readonly log: Logger;
  /** Ends even the hooks that end a run: there is no time for them. */
  readonly killSignal: AbortSignal;
  /** True if the run should end after its current turn. */
  isLast(): boolean;
}

/** Result of a run. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly error: RunError | null;
  readonly cleanUp: boolean;
}

const timeouts: ReadonlySet<string> = new Set(["turn_timeout", "response_timeout", "hook_timeout"]);
const needsPerson: ReadonlySet<string> = new Set(["approval_required", "turn_input_required"]);

/** An attempt at an issue: a workspace, an app-server in it, one thread, and turns until the issue is not active. */
export class Run {
  readonly options: RunOptions;
  readonly state: RunState;
  /** Settles when all that belongs to the run is gone. Never rejects. */
  readonly ended: Promise<RunEnd>;
  readonly #stopping = new AbortController();
  readonly #workspaces: WorkspaceKeeper;

  constructor(options: RunOptions) {
    this.options = options;
    const { issue, workflow, root, env, runId, quire, executor } = options;
    this.state = new RunState(options);
    this.#workspaces = executor.workspaces({
      root,
      hooks: workflow.config.hooks,
      env: childEnvironment({
        env,
        runId,
        issue,
        quire,
        tracker: workflow.tracker,
        root,
      }),
      log: options.log,
      onHook: (name, error) => this.state.hook(name, error),
    });
    // In a later task: the caller first notes that it started the run.
    this.ended = Promise.resolve().then(() => this.#run());
  }

  /** Ends the run for this reason. The first reason counts. */
  stop(reason: StopRun): void {
    if (!this.#stopping.signal.aborted) this.#stopping.abort(reason);
  }

  async #run(): Promise<RunEnd> {
    let end: RunEnd;
    try {
      await this.#work();
      end = { outcome: "Succeeded", error: null, cleanUp: false };
    } catch (error) {
      end = this.#failed(error);
    }
    // An end that was asked for counts, also where the work was done in the same moment.
    const { reason } = this.#stopping.signal;
    if (reason instanceof StopRun && end.outcome === "Succeeded") end = this.#failed(reason);
    this.state.enter(end.outcome);
    return end;
  }

  async #work(): Promise<void> {
    const { issue, killSignal, executor, runId } = this.options;
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    this.state.enter("PreparingWorkspace");
    const { path, createdNow } = await this.#workspaces.prepare(issue.identifier, signal);
    this.state.workspace = path;
    if (createdNow) await this.options.restore(path);
    let outcome = "failed";
    try {
      await this.#workspaces.beforeRun(path, signal);
      await this.#turns(path);
      outcome = "succeeded";
    } finally {
      this.state.enter("Finishing");
      // There a process may outlive the connection.
      if (executor.host !== null) await executor.reap([runId]).catch(() => undefined);
      if (!killSignal.aborted) await this.#workspaces.afterRun(path, killSignal, outcome);
    }
  }

  async #turns(workspace: string): Promise<void> {
    const { issue, attempt, workflow, root, rework, quire, env, runId, executor } = this.options;
    const { config, tracker } = workflow;
    this.state.enter("BuildingPrompt");
    let prompt = workflow.prompt.render({ issue, attempt });
    this.state.enter("LaunchingAgentProcess");
    const starting = AgentSession.start({
      // Another machine has a program of its own.
      command: shellCommand(config.codex.command, executor.host === null ? quire : undefined),
      workspace,
      root,
      executor,
      env: childEnvironment({ env, runId, issue, quire, tracker, root }),
      config: config.codex,
      tools: tracker.tools({ issue, workspace, changed: () => this.state.handed() }),
      resume: rework?.threadId ?? undefined,
      title: oneLine(visibleText(`${issue.identifier}: ${issue.title}`, { oneLine: true })),
      observer: this.state,
      signal: this.#stopping.signal,
    });
    this.state.enter("InitializingSession");
    await using session = await starting;
    if (rework) prompt = session.isResumed ? rework.feedback : `${prompt}\n\n${rework.feedback}`;
    for (let turn = 1; ; turn++) {
      this.state.enter("StreamingTurn");
      this.state.lastWords = await session.runTurn(prompt);
      const next = await this.#refreshed();
      if (next === undefined || turn >= config.agent.maxTurns || this.options.isLast()) return;
      prompt = continuationPrompt(next, turn + 1, config.agent.maxTurns);
    }
  }

  /** The issue as it is now; undefined where nothing more is to be done for it. */
  async #refreshed(): Promise<Issue | undefined> {
    const { workflow } = this.options;
    const [issue] = await workflow.tracker.fetchIssuesByIds([this.state.issue.id], { signal: this.#stopping.signal });
    if (!issue) return undefined;
    this.state.issue = issue;
    return ineligibleReason(issue, workflow.config.tracker) === undefined ? issue : undefined;
  }

  #failed(thrown: unknown): RunEnd {
    const { reason, aborted } = this.#stopping.signal;
    const error = aborted ? reason : thrown;
    const reported = toRunError(error);
    this.state.fail(reported.code, reported.message);
    if (error instanceof StopRun) return { outcome: error.outcome, error: reported, cleanUp: error.cleanUp };
    const outcome = needsPerson.has(reported.code) ? "Blocked" : timeouts.has(reported.code) ? "TimedOut" : "Failed";
    return { outcome, error: reported, cleanUp: false };
  }
}
