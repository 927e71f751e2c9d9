import type { CommandExecutionThreadItem } from "@quire/protocol";
import { quoteCommand } from "@quire/protocol/shell";
import { shellCommand } from "../run/process/shells.ts";
import { commandActions } from "../shell/command-actions.ts";
import { realPathOf } from "../workspace-files/real-path.ts";
import type { Limits } from "./grants.ts";
import type { Permissions } from "./permissions.ts";

/** A model's request to go beyond the sandbox. */
export type EscalationKind = "nothing" | "escalated" | "more";

/** The parts of an action. */
export interface ActionParts {
  readonly callId: string;
  readonly shell: string;
  readonly script: string;
  /** True when the shell reads the user's profile first. */
  readonly login: boolean;
  readonly cwd: string;
  readonly tty: boolean;
  /** All variables of the command, without those that differ from call to call. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment; `null` for this machine. */
  readonly place: string | null;
  readonly escalation: EscalationKind;
  /** For `more`: the requested permissions. */
  readonly more?: Permissions | undefined;
  readonly limits: Limits;
  /** The model's reason, in its words. */
  readonly justification: string | null;
  /** A prefix that the model proposes to allow from now on. */
  readonly prefixRule?: readonly string[] | undefined;
}

/**
 * An immutable command: what a person sees, what is remembered for the session and what runs all come from this record.
 * To run it differently, such as outside of its sandbox, is another action with another key.
 */
export interface CommandAction extends ActionParts {
  /** The command line as shown, and as run unless its programs were looked up. */
  readonly argv: readonly string[];
  /** The real path of `cwd` when the record was made. The command runs there. */
  readonly folder: string;
  /** The executed command: the same script with the same programs, so that none can be replaced. */
  readonly launch: { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** True when it runs without the sandbox of the thread's commands, or because a person said so. */
  readonly isReleased: boolean;
  /** The files of its programs, if somebody was asked about it. A replaced one makes another action. */
  readonly programs: readonly string[];
}

/** Makes the record of a command. */
export function commandAction(parts: ActionParts): CommandAction {
  const argv = shellCommand(parts.shell, parts.script, parts.login);
  const folder = parts.place === null ? realPathOf(parts.cwd) : parts.cwd;
  return deepFreeze({ ...parts, argv, folder, launch: { argv, env: parts.env }, isReleased: false, programs: [] });
}

/** The same command, executed in a way that comes to the same, and with what is known of its programs. */
export function launchedAs(
  action: CommandAction,
  known: Partial<Pick<CommandAction, "launch" | "programs">>,
): CommandAction {
  return deepFreeze({ ...action, ...known });
}

/** The same command outside of every sandbox. */
export function outsideSandbox(action: CommandAction): CommandAction {
  return deepFreeze({ ...action, limits: unconfined(action.limits), isReleased: true });
}

/** The same command in its sandbox, because somebody agreed to it. It starts in the folder that they saw, or not at all. */
export function agreedTo(action: CommandAction): CommandAction {
  return deepFreeze({ ...action, isReleased: true });
}

/** True when a sandbox enforces these limits. */
export function isConfined({ policy: { type } }: Limits): boolean {
  return type === "readOnly" || type === "workspaceWrite";
}

function unconfined({ workspace }: Limits): Limits {
  return { policy: { type: "dangerFullAccess" }, workspace };
}

/** The key of an approval for the session: a hash of everything that decides what the command does. */
export function actionKey(action: CommandAction): string {
  const { argv, programs, cwd, folder, tty, env, place, escalation, more, limits } = action;
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = ["command", argv, programs, cwd, folder, tty, variables, place, escalation, more ?? null, limits];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The item of an action that has not begun. */
export function actionItem({ callId, argv, script, cwd }: CommandAction): CommandExecutionThreadItem {
  return {
    type: "commandExecution",
    id: callId,
    pluginId: null,
    scriptPath: null,
    command: quoteCommand(argv),
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: commandActions(script, cwd),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null && !Object.isFrozen(part)) deepFreeze(part);
  }
  return Object.freeze(value);
}
