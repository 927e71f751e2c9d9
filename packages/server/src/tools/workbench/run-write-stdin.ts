import type { FunctionCallOutputBody } from "@quire/protocol";
import { approveInput, inputAction, interruptKey } from "../../approval/approve-input.ts";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import { Arguments } from "../arguments.ts";
import { type OutputLimit, tighterLimit } from "../truncate-output.ts";
import { execResult } from "./exec-result.ts";
import type { ExecSession } from "./exec-session.ts";
import type { ExecSessions } from "./exec-sessions.ts";

/** Default, minimum and maximum wait after writing. */
const defaultYieldMs = 250;
const minYieldMs = 250;
const maxYieldMs = 30_000;

/** Polling waits longer, so that a model does not ask again and again. */
const minPollMs = 5_000;
const maxPollMs = 300_000;

/** Writes to a command of `exec_command` that continues, and gives what it has said since. */
export async function runWriteStdin(
  sessions: ExecSessions,
  limit: OutputLimit,
  { call, context }: { call: ToolCall; context: ToolContext },
): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const id = args.requiredInteger("session_id");
  const yieldMs = args.count("yield_time_ms") ?? defaultYieldMs;
  const outputLimit = tighterLimit(limit, args.count("max_output_tokens"));
  const session = sessions.get(id);
  if (!session) throw new ToolFailure(`write_stdin failed: Unknown process id ${id}`);

  const chars = await approved(session, call.callId, { typed: args.text("chars") ?? "", context });
  const startedAt = performance.now();
  session.lastUsedAt = startedAt;
  if (chars !== "") await send(session, chars);
  if (session.status === undefined) {
    const { itemId } = session;
    context.notify("item/commandExecution/terminalInteraction", { itemId, processId: String(id), stdin: chars });
  }
  await session.wait(clamp(yieldMs, chars === ""), context.signal);
  if (session.status) sessions.forget(session);
  return execResult(session, startedAt, outputLimit);
}

/** Gets approval for the input and returns it. Asks again when the command was restarted meanwhile. */
async function approved(
  session: ExecSession,
  callId: string,
  { typed, context }: { readonly typed: string; readonly context: ToolContext },
): Promise<string> {
  const { id, itemId } = session;
  for (;;) {
    const { action: command, process } = session;
    const action = inputAction({ callId, processId: String(id), itemId, command, chars: typed });
    // Asks nothing when the process accepts no input.
    if (session.status === undefined && process.writable) await approveInput(action, context);
    if (session.action === command) return action.chars;
  }
}

async function send(session: ExecSession, chars: string): Promise<void> {
  if (session.process.writable) return session.process.write(chars);
  if (chars === interruptKey) return session.process.signal("SIGINT");
  if (session.status !== undefined) return;
  throw new ToolFailure(
    "write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open",
  );
}

function clamp(ms: number, polling: boolean): number {
  const [least, most] = polling ? [minPollMs, maxPollMs] : [minYieldMs, maxYieldMs];
  return Math.min(Math.max(ms, least), most);
}
