import { resolve } from "node:path";
import type { FunctionCallOutputBody } from "@quire/protocol";
import { commandAction } from "../../approval/action.ts";
import { approveCommand } from "../../approval/approve-command.ts";
import { noPermissions } from "../../approval/permissions.ts";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import { patchCommand } from "../../patch/patch-command.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import { isLocal } from "../../run/environments/local-environment.ts";
import { Arguments } from "../arguments.ts";
import { requireLocal } from "../require-local.ts";
import { type OutputLimit, tighterLimit } from "../truncate-output.ts";
import { execResult } from "./exec-result.ts";
import type { ExecSessions } from "./exec-sessions.ts";
import type { Patcher } from "./patcher.ts";
import { readEscalation } from "./read-escalation.ts";

/** Default, minimum and maximum time that a call waits for its command. */
const defaultYieldMs = 10_000;
const minYieldMs = 250;
const maxYieldMs = 30_000;

/** The parts that the tool works with. */
export interface ExecCommandParts {
  readonly sessions: ExecSessions;
  readonly limitFor: (model: string) => OutputLimit;
  /** Applies patches that come as a command. */
  readonly patcher: Patcher;
  /** True when a call may ask to widen its sandbox. */
  readonly mayAskMore: boolean;
}

/** Linux's limit for one argument, in bytes. Longer scripts fail there, after much work here. */
const maxScriptBytes = 131_071;

function refuseTooLong(script: string): void {
  const bytes = Buffer.byteLength(script);
  if (bytes <= maxScriptBytes) return;
  throw new ToolFailure(
    `exec_command failed: the command is too long, ${bytes} bytes of at most ${maxScriptBytes}; write it to a file and run that`,
  );
}

/** Runs a call of `exec_command`: gives its output when it ends, or what there is after the time that the call waits. */
export async function runCommand(
  parts: ExecCommandParts,
  call: ToolCall,
  context: ToolContext,
): Promise<FunctionCallOutputBody> {
  const { sessions, limitFor, patcher } = parts;
  const args = new Arguments(call);
  const script = args.requiredText("cmd");
  const yieldMs = args.count("yield_time_ms") ?? defaultYieldMs;
  const outputLimit = tighterLimit(limitFor(context.settings.model), args.count("max_output_tokens"));
  const escalation = readEscalation(args, parts.mayAskMore, context);
  let startedAt = performance.now();
  const cwd = resolve(context.settings.cwd, args.text("workdir") ?? "");
  const found = patchCommand(script, cwd);
  if (found) {
    requireLocal(context);
    const output = await patcher.apply({ callId: call.callId, ...found }, context);
    return `Wall time: ${((performance.now() - startedAt) / 1000).toFixed(4)} seconds\nOutput:\n${output}`;
  }

  refuseTooLong(script);
  const { approvals, settings, turnId } = context;
  const action = commandAction({
    callId: call.callId,
    shell: await sessions.shell(settings, args.text("shell")),
    script,
    login: args.flag("login") ?? true,
    cwd,
    tty: args.flag("tty") ?? false,
    env: sessions.variables(settings),
    place: isLocal(settings) ? null : (settings.environment ?? ""),
    limits: approvals.grants.limits(settings, turnId, escalation.more ?? noPermissions),
    ...escalation,
  });
  const plan = await approveCommand({ action, confinable: sessions.confinable }, context);
  startedAt = performance.now();
  const session = sessions.start(plan, context);
  await session.wait(Math.min(Math.max(yieldMs, minYieldMs), maxYieldMs), context.signal);
  if (context.signal.aborted) await session.kill();
  session.attended = false;
  if (session.status) sessions.forget(session);
  return execResult(session, startedAt, outputLimit);
}
