import type { TrackerConfig } from "../tracker/adapter.ts";
import type { AutoApproval } from "./auto-approve.ts";
import type { BudgetConfig } from "./budget-config.ts";
import type { DeliverConfig } from "./deliver-config.ts";
import type { LogConfig } from "./log-config.ts";
import type { MachinesConfig } from "./machines-config.ts";
import type { NotifyConfig } from "./notify-config.ts";
import type { WebhookConfig } from "./webhook-config.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** Shell scripts that run in a workspace; null where there is none. */
export interface HooksConfig {
  /** Once, when the workspace has been made. If it fails, the workspace is removed and the run fails. */
  readonly afterCreate: string | null;
  /** Before each run. If it fails, the run does. */
  readonly beforeRun: string | null;
  /** After each run, however it ended. Failure is logged. */
  readonly afterRun: string | null;
  /** Before the workspace is removed. Failure is logged. */
  readonly beforeRemove: string | null;
  readonly timeoutMs: number;
}

/** Number of runs, and the limits of each. */
export interface AgentConfig {
  readonly maxConcurrentAgents: number;
  /** Turns of one run. */
  readonly maxTurns: number;
  readonly maxRetryBackoffMs: number;
  /** Limits by state, in lower case. */
  readonly maxConcurrentAgentsByState: Readonly<Record<string, number>>;
}

/** Command and settings of the app-server. */
export interface CodexConfig {
  /** A shell command; `quire …` means the program that runs this. */
  readonly command: string;
  /** Handed on as it is written. */
  readonly approvalPolicy: unknown;
  /** Handed on as it is written. */
  readonly threadSandbox: unknown;
  /** Handed on as it is written; undefined leaves it to the thread's sandbox. */
  readonly turnSandboxPolicy: unknown;
  /** Actions that the orchestrator approves without a person, each time for one action only. */
  readonly autoApprove: readonly AutoApproval[];
  /** Silence in a turn. */
  readonly turnTimeoutMs: number;
  /** A reply to a request. */
  readonly readTimeoutMs: number;
  /** Silence in a run, whatever it does; 0 or less: no limit. */
  readonly stallTimeoutMs: number;
}

/** All settings of a workflow, with defaults in place. */
export interface WorkflowConfig {
  readonly tracker: TrackerConfig;
  readonly pollIntervalMs: number;
  /** Absolute. */
  readonly workspaceRoot: string;
  readonly hooks: HooksConfig;
  readonly agent: AgentConfig;
  readonly codex: CodexConfig;
  /** Null: what agents make stays in their workspaces. */
  readonly deliver: DeliverConfig | null;
  readonly budget: BudgetConfig;
  /** Null: the log goes to stderr only. */
  readonly log: LogConfig | null;
  /** Null: nobody is told. */
  readonly notify: NotifyConfig | null;
  readonly worker: WorkerConfig;
  /** Of the status page; null: none, unless the command line names one. */
  readonly serverPort: number | null;
  /** Null: trackers cannot say that something changed. */
  readonly webhook: WebhookConfig | null;
  /** Null: orchestrators on other machines are not seen. */
  readonly machines: MachinesConfig | null;
}
