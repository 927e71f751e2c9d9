import type { FunctionCallOutputBody, ResponseItem, UserInput } from "@quire/protocol";
import type { LayerWarning } from "../../config/layer.ts";
import { message, text } from "../../prompt/message.ts";
import { textOf } from "../../record/model-items.ts";
import type { ToolCall } from "../../record/tool-call.ts";
import type { ActiveTurn, PendingInput } from "../../thread/active-turn.ts";
import type {
  Add,
  AskedPermission,
  CallAnswered,
  CallAsked,
  CallVerdict,
  InputVerdict,
  ModelAnswer,
  PermissionVerdict,
  StopAsked,
} from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { type HookView, plainView } from "../../tools/hook-view.ts";
import { ThreadHooks } from "./thread-hooks.ts";

/** The points of a thread's life at which hooks run. Made only for a thread that has some. */
export class HookPoints {
  readonly #thread: Thread;
  readonly #hooks: ThreadHooks;

  constructor(thread: Thread, begins: "startup" | "resume" | null) {
    this.#thread = thread;
    this.#hooks = new ThreadHooks(thread, begins);
  }

  /** Sends warnings about the hooks to subscribers. */
  reportWarnings(): void {
    const { id: threadId } = this.#thread;
    for (const warning of this.#hooks.warnings) this.#thread.notify("warning", { threadId, message: warning });
  }

  /** Warnings about a project's hooks that do not run. */
  get unreviewed(): readonly LayerWarning[] {
    return this.#hooks.unreviewed;
  }

  /** In a new session its hooks run first. `false` when one of them ends the turn. */
  async begin(turn: ActiveTurn, add: Add): Promise<boolean> {
    this.#hooks.refresh();
    const source = this.#hooks.begins;
    if (source === undefined) return true;
    this.#hooks.begins = undefined;
    const isAgent = Boolean(this.#thread.record.meta.quire?.parentThreadId);
    const outcome = await this.#hooks.run({
      event: isAgent ? "SubagentStart" : "SessionStart",
      turnId: turn.id,
      names: [isAgent ? (this.#thread.record.meta.quire?.agentRole ?? "default") : source],
      details: isAgent ? {} : { source },
      signal: turn.signal,
    });
    add(outcome.contexts.map(toContextItem));
    return outcome.stop === undefined;
  }

  async input(turn: ActiveTurn, { input }: PendingInput): Promise<InputVerdict> {
    const outcome = await this.#hooks.run({
      event: "UserPromptSubmit",
      turnId: turn.id,
      details: { prompt: input.map(words).join("\n") },
      signal: turn.signal,
    });
    const refused = outcome.refusal !== undefined || outcome.stop !== undefined;
    return { refused, contexts: outcome.contexts.map(toContextItem) };
  }

  /** Output of background hooks since. */
  async notes(): Promise<ResponseItem[]> {
    return this.#hooks.takeLate().map(toContextItem);
  }

  async beforeModel(turn: ActiveTurn): Promise<void> {
    await this.#hooks.run({ event: "PreModelRequest", turnId: turn.id, signal: turn.signal });
  }

  async afterModel(turn: ActiveTurn, { result: end }: ModelAnswer): Promise<void> {
    const failed = end instanceof Error;
    const usage = end === undefined || failed ? null : end.usage;
    const details = {
      status: failed ? "failed" : "completed",
      error: failed ? end.message : null,
      token_usage: usage && {
        input_tokens: usage.inputTokens,
        cached_input_tokens: usage.cachedInputTokens,
        cache_write_input_tokens: usage.cacheWriteInputTokens ?? 0,
        output_tokens: usage.outputTokens,
        reasoning_output_tokens: usage.reasoningOutputTokens,
        total_tokens: usage.totalTokens,
      },
    };
    await this.#hooks.run({ event: "PostModelRequest", turnId: turn.id, details });
  }

  #viewOf(call: ToolCall): HookView {
    return this.#thread.toolbox.find(call)?.hookView ?? plainView;
  }

  async beforeCall(turn: ActiveTurn, { call, add }: CallAsked): Promise<CallVerdict> {
    const view = this.#viewOf(call);
    const described = view.describe(call);
    if (described === undefined || !this.#hooks.has("PreToolUse", described.names)) return { call };
    const { name, names, input } = described;
    const outcome = await this.#hooks.run({
      event: "PreToolUse",
      turnId: turn.id,
      names,
      details: { tool_name: name, tool_input: input, tool_use_id: call.callId },
      callId: call.callId,
      signal: turn.signal,
    });
    add(outcome.contexts.map(toContextItem));
    const { refusal } = outcome;
    if (refusal === undefined)
      return { call: outcome.input === undefined ? call : view.withInput(call, outcome.input) };
    const what =
      name === "Bash"
        ? `Command blocked by PreToolUse hook: ${refusal}. Command: ${String((input as { command?: unknown }).command)}`
        : `Tool call blocked by PreToolUse hook: ${refusal}. Tool: ${name}`;
    return { call, refusal: what };
  }

  async afterCall(turn: ActiveTurn, { call, output, add }: CallAnswered): Promise<FunctionCallOutputBody> {
    const view = this.#viewOf(call);
    const described = view.describe(call);
    const response = view.answer(output);
    if (described === undefined || response === undefined) return output;
    const { name, names, input } = described;
    const outcome = await this.#hooks.run({
      event: "PostToolUse",
      turnId: turn.id,
      names,
      details: { tool_name: name, tool_input: input, tool_response: response, tool_use_id: call.callId },
      callId: call.callId,
      signal: turn.signal,
    });
    add(outcome.contexts.map(toContextItem));
    return outcome.feedback.length > 0 ? outcome.feedback.map((each) => each.text).join("\n\n") : output;
  }

  async permission(turn: ActiveTurn, { callId, ...asked }: AskedPermission): Promise<PermissionVerdict> {
    return this.#hooks.run({
      event: "PermissionRequest",
      turnId: turn.id,
      names: asked.name === "apply_patch" ? ["apply_patch", "Write", "Edit"] : [asked.name],
      details: { tool_name: asked.name, tool_input: asked.input },
      callId,
      signal: turn.signal,
    });
  }

  /** True to continue; the reason was added for the model. */
  async stop(turn: ActiveTurn, { isAgain, add }: StopAsked): Promise<boolean> {
    const role = this.#thread.record.meta.quire?.parentThreadId
      ? (this.#thread.record.meta.quire.agentRole ?? "default")
      : undefined;
    const outcome = await this.#hooks.run({
      event: role === undefined ? "Stop" : "SubagentStop",
      turnId: turn.id,
      ...(role !== undefined && { names: [role] }),
      details: { stop_hook_active: isAgain, last_assistant_message: lastWords(this.#thread) },
      signal: turn.signal,
    });
    if (outcome.stop !== undefined || outcome.feedback.length === 0) return false;
    const fragments = outcome.feedback.map((each) => ({ ...each }));
    const item = { type: "hookPrompt" as const, id: `msg_${Bun.randomUUIDv7()}`, fragments, startedAtMs: Date.now() };
    this.#thread.showItem(turn.id, item);
    add([
      message(
        "user",
        fragments.map((each) => text(quoted(each))),
      ),
    ]);
    return true;
  }

  async interrupted(turn: ActiveTurn): Promise<void> {
    await this.#hooks.run({ event: "Interrupt", turnId: turn.id });
  }

  /** `false` when a hook forbids it. */
  async beforeCompaction(turn: ActiveTurn): Promise<boolean> {
    const trigger = triggerOf(turn);
    const outcome = await this.#hooks.run({
      event: "PreCompact",
      turnId: turn.id,
      names: [trigger],
      details: { trigger },
      signal: turn.signal,
    });
    return outcome.stop === undefined;
  }

  async afterCompaction(turn: ActiveTurn): Promise<void> {
    const trigger = triggerOf(turn);
    await this.#hooks.run({ event: "PostCompact", turnId: turn.id, names: [trigger], details: { trigger } });
    this.#hooks.begins = "compact";
  }

  async close(): Promise<void> {
    await this.#hooks.run({ event: "SessionEnd", names: ["other"], details: { reason: "other" } });
    await this.#hooks.close();
  }
}

const toContextItem = (context: string): ResponseItem => message("developer", [text(context)]);

const triggerOf = ({ request }: ActiveTurn): string => (request.kind === "compact" ? "manual" : "auto");

const words = (part: UserInput): string => (part.type === "text" ? part.text : "");

function lastWords({ record }: Thread): string | null {
  const last = record.history.findLast(({ item }) => item.type === "message" && item.role === "assistant");
  return last?.item.type === "message" ? textOf(last.item) : null;
}

function quoted({ text: words, hookRunId }: { readonly text: string; readonly hookRunId: string }): string {
  const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<hook_prompt hook_run_id="${escaped(hookRunId).replaceAll('"', "&quot;")}">${escaped(words)}</hook_prompt>`;
}
