import { resolve } from "node:path";
import type { FunctionCallOutputBody } from "@quire/protocol";
import { commandAction } from "../approval/action.ts";
import { approveCommand } from "../approval/approve-command.ts";
import { noPermissions } from "../approval/permissions.ts";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import { patchCommand } from "../patch/patch-command.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { isHere } from "../run/environments/local-environment.ts";
import type { Patcher } from "./apply-patch.ts";
import { Arguments } from "./arguments.ts";
import { execResult } from "./exec-result.ts";
import type { ExecSessions } from "./exec-sessions.ts";
import { argumentsOf, commandIn, type HookView } from "./hook-view.ts";
import { readEscalation } from "./read-escalation.ts";
import { permissionsSchema } from "./request-permissions.ts";
import { requireLocal } from "./require-local.ts";
import type { Tool } from "./tool.ts";
import { type OutputLimit, tighterLimit } from "./truncate-output.ts";

/** How long a call waits for its command: unless told, at least, at most. */
const defaultYieldMs = 10_000;
const minYieldMs = 250;
const maxYieldMs = 30_000;

const spec: ToolSpec = {
  type: "function",
  name: "exec_command",
  description:
    "Runs a shell command. Returns its output when it ends, or after yield_time_ms with a session id by which write_stdin goes on with it.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      cmd: { type: "string", description: "The shell command." },
      justification: {
        type: "string",
        description: "With require_escalated: one question to the user that says why the command needs it.",
      },
      login: { type: "boolean", description: "Whether the shell reads the user's profile first. Default true." },
      max_output_tokens: { type: "number", description: "Longer output is cut in the middle." },
      prefix_rule: {
        type: "array",
        items: { type: "string" },
        description: "With require_escalated: words that similar commands begin with, to be allowed from now on.",
      },
      sandbox_permissions: {
        type: "string",
        enum: ["use_default", "require_escalated"],
        description: "require_escalated asks to run outside of the sandbox. Default use_default.",
      },
      shell: { type: "string", description: "The shell to use. Default: the user's." },
      tty: {
        type: "boolean",
        description: "Run on a terminal, which also keeps stdin open for write_stdin. Default false: pipes, no stdin.",
      },
      workdir: { type: "string", description: "The folder to run in. Default: the working folder of the turn." },
      yield_time_ms: { type: "number", description: "How long to wait for the end. Default 10000, from 250 to 30000." },
    },
    required: ["cmd"],
    additionalProperties: false,
  },
};

/** What the tool works with. */
export interface ExecCommandParts {
  readonly sessions: ExecSessions;
  /** How much a model gets of an output. */
  readonly limitFor: (model: string) => OutputLimit;
  /** Applies patches that come as a command. */
  readonly patcher: Patcher;
  /** Whether a call may ask to widen the sandbox for itself. */
  readonly mayAskMore: boolean;
}

/** For hooks the shell is `Bash`, with a command and what it printed. */
const shellView: HookView = {
  describe(call) {
    const { cmd } = argumentsOf(call) as { cmd?: unknown };
    return typeof cmd === "string" ? { name: "Bash", names: ["Bash"], input: { command: cmd } } : undefined;
  },
  withInput(call, input) {
    const cmd = commandIn(input);
    return cmd === undefined ? call : { ...call, arguments: JSON.stringify({ ...argumentsOf(call), cmd }) };
  },
  answer(output) {
    if (typeof output !== "string") return undefined;
    const start = output.indexOf("\nOutput:\n");
    // Neither a command that goes on nor a patch that went through the shell has output of its own.
    return start < 0 || !/^Process exited with code/m.test(output.slice(0, start))
      ? undefined
      : output.slice(start + 9);
  },
};

/** `exec_command`: runs a command in a shell, on pipes or on a terminal. */
export function execCommandTool(parts: ExecCommandParts): Tool {
  return {
    spec: parts.mayAskMore ? widerSpec() : spec,
    name: "exec_command",
    namespace: null,
    needs: "commands",
    looks: true,
    hookView: shellView,
    run: (call, context) => run(parts, call, context),
  };
}

/** What the model is offered where a call may ask to widen the sandbox for itself. */
function widerSpec(): ToolSpec {
  const parameters = spec.parameters as { readonly properties: object };
  const properties = {
    ...parameters.properties,
    additional_permissions: permissionsSchema,
    sandbox_permissions: {
      type: "string",
      enum: ["use_default", "with_additional_permissions", "require_escalated"],
      description:
        "with_additional_permissions asks for what additional_permissions names, within the sandbox; require_escalated asks to run outside of it. Default use_default.",
    },
  };
  return { ...spec, parameters: { ...parameters, properties } };
}

/** The longest word that Linux passes to a program, in bytes. Longer ones fail there, after much work on them here. */
const maxScriptBytes = 131_071;

function refuseTooLong(script: string): void {
  const bytes = Buffer.byteLength(script);
  if (bytes <= maxScriptBytes) return;
  throw new ToolFailure(
    `exec_command failed: the command is too long, ${bytes} bytes of at most ${maxScriptBytes}; write it to a file and run that`,
  );
}

async function run(parts: ExecCommandParts, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
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
    place: isHere(settings) ? null : (settings.environment ?? ""),
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
