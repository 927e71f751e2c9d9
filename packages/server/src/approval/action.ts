import { createHash } from "node:crypto";
import type { CommandExecutionThreadItem } from "@quire/protocol";
import { shellCommand } from "../run/process/shells.ts";
import { commandActions } from "../shell/command-actions.ts";
import { quoteCommand } from "../shell/quote.ts";
import { realPathOf } from "../workspace-files/real-path.ts";
import type { Limits } from "./grants.ts";
import type { Permissions } from "./permissions.ts";

/** What a model asks for beyond the sandbox. */
export type EscalationKind = "nothing" | "escalated" | "more";

/** What an action is made of. */
export interface ActionParts {
  readonly callId: string;
  readonly shell: string;
  /** The exact text that the shell runs. */
  readonly script: string;
  /** Whether the shell reads the user's profile first. */
  readonly login: boolean;
  readonly cwd: string;
  readonly tty: boolean;
  /** All variables of the command, without those that tell one call from another. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment that it runs in; `null` for this machine. */
  readonly place: string | null;
  readonly escalation: EscalationKind;
  /** With the wish `more`: what the sandbox shall let through. */
  readonly more?: Permissions | undefined;
  /** The sandbox that it runs in. */
  readonly limits: Limits;
  /** Why the model wants it, in its words. */
  readonly justification: string | null;
  /** A beginning that the model proposes to allow from now on. */
  readonly prefixRule?: readonly string[] | undefined;
}

/**
 * One command, made once and never changed: what a person is shown, what is remembered for the session and what is run all
 * come from this record. To run it otherwise, such as outside of its sandbox, is another action with another key.
 */
export interface CommandAction extends ActionParts {
  /** The command line that is shown, and run unless its programs were looked up beforehand. */
  readonly argv: readonly string[];
  /** Where `cwd` led when the record was made. It runs there. */
  readonly folder: string;
  /** What is executed: the same script with the same programs, so that no others can take their place. */
  readonly launch: { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** Whether it runs without the sandbox that the thread's commands have, or because a person said so. */
  readonly isReleased: boolean;
  /** The files that its words lead to, where somebody was asked about it. One that was replaced makes another action. */
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

/** Whether a sandbox holds what has these limits. */
export function isConfined({ policy: { type } }: Limits): boolean {
  return type === "readOnly" || type === "workspaceWrite";
}

function unconfined({ workspace }: Limits): Limits {
  return { policy: { type: "dangerFullAccess" }, workspace };
}

/**
 * The key under which an approval for the session is remembered: a hash of all that decides over what the command does.
 */
export function actionKey(action: CommandAction): string {
  const { argv, programs, cwd, folder, tty, env, place, escalation, more, limits } = action;
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = ["command", argv, programs, cwd, folder, tty, variables, place, escalation, more ?? null, limits];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
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
