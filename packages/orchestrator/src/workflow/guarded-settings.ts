import type { WorkflowConfig } from "./config.ts";

/** A setting that decides what runs, with which rights, for whom, or where a credential goes. */
export interface GuardedSetting {
  /** As in the file: `hooks.after_create`. */
  readonly name: string;
  /** All of it, for the comparison. */
  readonly value: string;
  /** For people: never a credential. */
  readonly shown: string;
  /** True for a credential that is written out in the file. */
  readonly isSecret: boolean;
}

/** Settings of trackers that hold a credential, unless they name a variable. */
const secrets: ReadonlySet<string> = new Set(["token", "api_key", "api_token"]);

/**
 * The settings that a person has to agree to. The others (texts, limits, pauses) let nothing run that did not before,
 * so they may change while the orchestrator works.
 *
 * @param folder Of the workflow file: relative paths begin there.
 */
export function guardedSettings(config: WorkflowConfig, folder: string): readonly GuardedSetting[] {
  const { tracker, hooks, codex, workspaceRoot, worker, deliver, notify, log, budget } = config;
  const values: Readonly<Record<string, unknown>> = {
    folder,
    "tracker.kind": tracker.kind,
    ...Object.fromEntries(Object.entries(tracker.provider).map(([key, value]) => [`tracker.provider.${key}`, value])),
    "tracker.required_labels": tracker.requiredLabels,
    "tracker.active_states": tracker.activeStates,
    "tracker.terminal_states": tracker.terminalStates,
    "workspace.root": workspaceRoot,
    "worker.ssh_hosts": worker.sshHosts.length === 0 ? null : worker.sshHosts,
    "hooks.after_create": hooks.afterCreate,
    "hooks.before_run": hooks.beforeRun,
    "hooks.after_run": hooks.afterRun,
    "hooks.before_remove": hooks.beforeRemove,
    "codex.command": codex.command,
    "codex.approval_policy": codex.approvalPolicy,
    "codex.thread_sandbox": codex.threadSandbox,
    "codex.turn_sandbox_policy": codex.turnSandboxPolicy,
    "codex.auto_approve": codex.autoApprove,
    ...deliver?.guarded,
    "notify.url": notify?.written,
    "log.file": log?.path,
    // It is money, and an agent may have written the file.
    ...budget.guarded,
  };
  return Object.entries(values).flatMap(([name, raw]) => {
    if (raw === null || raw === undefined) return [];
    const value = typeof raw === "string" ? raw : JSON.stringify(raw);
    const isSecret = isCredential(name, value);
    return [{ name, value, shown: isSecret ? "(in the file)" : value, isSecret }];
  });
}

const isCredential = (name: string, value: string) =>
  secrets.has(name.slice(name.lastIndexOf(".") + 1)) && !/^\$[A-Za-z_]\w*$/.test(value.trim());
