import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolContext } from "../../approval/tool-context.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import { Arguments } from "../arguments.ts";
import { requireLocal } from "../require-local.ts";
import type { OutputLimit } from "../truncate-output.ts";
import { ExecSessions, type ExecSettings } from "./exec-sessions.ts";
import { Patcher } from "./patcher.ts";
import { runCommand } from "./run-command.ts";
import { runWriteStdin } from "./run-write-stdin.ts";
import { runUserShell, type UserCommand } from "./user-shell.ts";

/** The parts that commands and patches of a thread work with. */
export interface WorkbenchOptions extends ExecSettings {
  readonly limitFor: (model: string) => OutputLimit;
  /** True when a call may ask to widen its sandbox. */
  readonly mayAskMore: boolean;
}

/** Runs the commands and patches of a thread. Loaded with the first of them: most of the server's code is behind it. */
export class Workbench {
  readonly #options: WorkbenchOptions;
  readonly sessions: ExecSessions;
  readonly #patcher = new Patcher();

  constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.sessions = new ExecSessions(options);
  }

  /** The changes of a turn's patches since it began; `undefined` where there were none. */
  turnDiff(turnId: string): string | undefined {
    return this.#patcher.turnDiff(turnId);
  }

  sendDiff(turnId: string): void {
    this.#patcher.sendDiff(turnId);
  }

  finishDiff(turnId: string): void {
    this.#patcher.finishDiff(turnId);
  }

  execCommand(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
    return runCommand({ ...this.#options, sessions: this.sessions, patcher: this.#patcher }, call, context);
  }

  writeStdin(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
    return runWriteStdin(this.sessions, this.#options.limitFor(context.settings.model), { call, context });
  }

  async applyPatch(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
    requireLocal(context);
    const patch = call.kind === "custom" ? call.arguments : new Arguments(call).requiredText("input");
    return this.#patcher.apply({ callId: call.callId, patch, cwd: context.settings.cwd }, context);
  }

  /** Runs a command that the user typed; see {@link runUserShell}. */
  runForUser(command: UserCommand, context: ToolContext): Promise<string> {
    const limit = this.#options.limitFor(context.settings.model);
    return runUserShell({ settings: this.#options, limit }, command, context);
  }
}
