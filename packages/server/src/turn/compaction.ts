import type { ResponseItem } from "@quire/protocol";
import { characterBoundary } from "../lib/character-boundary.ts";
import { ModelError, type ModelRequest, type ModelResult } from "../model/model-provider.ts";
import { answeredBy, calledBy } from "../record/call-items.ts";
import { saidItems } from "../record/context.ts";
import { textOf } from "../record/model-items.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { threadConversation } from "./conversation.ts";
import { notifyEndpointNotice } from "./endpoint-notices.ts";
import { modelRequest } from "./model-request.ts";
import { providerOf } from "./provider-of.ts";
import { SummarySink } from "./summary-sink.ts";
import { assumeContext, countUsage, notifyLimits, notifyUsage } from "./usage.ts";

/** Characters of user messages kept verbatim, the latest first; the last that fits, in part. */
const keptCharacters = 80_000;

/** Summarising did not work. */
export class CompactionFailed extends Error {
  override readonly name = "CompactionFailed";
}

/** True when the last response has filled so much of the window that the next may not fit. */
export function shouldCompact({ record, config }: Thread): boolean {
  const limit = config.autoCompactLimit ?? (config.contextWindow === null ? null : config.contextWindow * 0.9);
  const used = record.usage?.last.totalTokens ?? 0;
  return limit !== null && used >= limit && record.history.length > 0;
}

/** Replaces the history by a summary. User messages stay. */
export async function compact(thread: Thread, turn: ActiveTurn): Promise<void> {
  if (!(await thread.features.beforeCompaction(turn))) return;
  const item = { type: "contextCompaction" as const, id: Bun.randomUUIDv7(), startedAtMs: Date.now() };
  thread.startItem(turn.id, item);
  try {
    const summary = await summarise(thread, turn);
    const message = thread.core.prompts.compaction.summaryMessage(summary);
    const replacement = [...keptMessages(thread), userMessage(message)];
    thread.write([
      { type: "compacted", payload: { message: summary, replacement_history: replacement }, turnId: turn.id },
    ]);
    recount(thread, turn, replacement);
  } catch (error) {
    throw turn.signal.aborted ? error : new CompactionFailed("compaction failed", { cause: error });
  } finally {
    thread.completeItem(turn.id, item);
  }
  // Codex stopped to send it; clients of its earlier versions know a compaction by nothing else.
  thread.notify("thread/compacted", { threadId: thread.id, turnId: turn.id });
  await thread.features.afterCompaction(turn);
}

async function summarise(thread: Thread, turn: ActiveTurn): Promise<string> {
  const request = modelRequest(thread, turn, threadConversation(thread, turn));
  const sink = new SummarySink({
    limits: (limits) => {
      thread.limits = limits;
    },
    // Codex says nothing else of a compaction.
    notice: (notice) => notice.kind === "fallback" && notifyEndpointNotice(thread, turn, notice),
  });
  const controller = new AbortController();
  turn.signal.throwIfAborted();
  turn.cut = (reason) => {
    if (turn.signal.aborted) controller.abort(reason);
  };
  try {
    const how = { sink, signal: controller.signal };
    let result = await askForSummary(thread, request, how);
    if (sink.text === "") {
      // Some models call a tool though they must not.
      countUsage(thread, turn.id, result);
      result = await askForSummary(thread, { ...request, tools: [] }, how);
    }
    notifyUsage(thread, turn.id);
    notifyLimits(thread, thread.limits);
    countUsage(thread, turn.id, result);
    return sink.text;
  } finally {
    turn.cut = undefined;
  }
}

/** A history too large to be summarised loses its oldest part until it fits: else it never would. */
async function askForSummary(
  thread: Thread,
  request: ModelRequest,
  { sink, signal }: { readonly sink: SummarySink; readonly signal: AbortSignal },
): Promise<ModelResult> {
  const firstSaid = thread.record.history.findIndex(({ context }) => context === undefined);
  const head = request.input.slice(0, Math.max(0, firstSaid));
  const instruction = userMessage(thread.core.prompts.compaction.instruction);
  // Asked with the same tools, and so with the same beginning, the provider has all but the end in its cache.
  const asked: ModelRequest = { ...request, toolChoice: "none", outputSchema: null };
  for (let history = request.input.slice(head.length); ; history = newerPart(history)) {
    const input = [...head, ...history, instruction];
    try {
      return await providerOf(thread, "compaction").stream({ ...asked, input }, sink, signal);
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.info === "contextWindowExceeded";
      if (!isTooLong || history.length <= 1) throw error;
      sink.text = "";
      notifyUsage(thread, request.turnId);
      notifyLimits(thread, thread.limits);
    }
  }
}

/** Drops the oldest quarter, and outputs without their calls, which models refuse. */
function newerPart(history: readonly ResponseItem[]): ResponseItem[] {
  const kept = history.slice(Math.ceil(history.length / 4));
  const calls = new Set(kept.map(calledBy));
  return kept.filter((item) => {
    const answered = answeredBy(item);
    return answered === undefined || calls.has(answered);
  });
}

function keptMessages(thread: Thread): ResponseItem[] {
  const kept: ResponseItem[] = [];
  const introduction = thread.core.prompts.compaction.summaryMessage("");
  let room = keptCharacters;
  for (const item of saidItems(thread.record.history).reverse()) {
    if (item.type !== "message" || item.role !== "user") continue;
    const text = textOf(item);
    // The new summary covers the earlier one.
    if (text.startsWith(introduction)) continue;
    if (text.length > room) {
      if (room > 0) kept.unshift(userMessage(shortened(text, room)));
      break;
    }
    room -= text.length;
    kept.unshift(item);
  }
  return kept;
}

/** Beginning and end of a long message say most. */
function shortened(text: string, room: number): string {
  const head = characterBoundary(text, Math.ceil(room / 2));
  const tail = characterBoundary(text, text.length - Math.floor(room / 2));
  return `${text.slice(0, head)}…${tail - head} characters left out…${text.slice(tail)}`;
}

/** Estimates the smaller context until a response reports its size. */
function recount(thread: Thread, turn: ActiveTurn, history: readonly ResponseItem[]): void {
  if (!thread.record.usage) return;
  assumeContext(thread, turn.id, Math.ceil(JSON.stringify(history).length / 4));
  notifyUsage(thread, turn.id);
  notifyLimits(thread, thread.limits);
}

const userMessage = (text: string): ResponseItem => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});
