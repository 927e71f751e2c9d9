import type { UserInput } from "@quire/protocol";
import type { ActiveTurn, PendingInput } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { notifyRawItems } from "./add-history.ts";
import { countCalls } from "./call-limits.ts";
import { compact, shouldCompact } from "./compaction.ts";
import { type Conversation, threadConversation } from "./conversation.ts";
import { modelRequest } from "./model-request.ts";
import { observedProvider } from "./observed-provider.ts";
import { CutShort, type Outcome, ResponseRun } from "./response-run.ts";
import { runCalls } from "./run-calls.ts";
import { sendContextChanges } from "./send-context.ts";
import { turnPlace } from "./turn-settings.ts";
import { countUsage } from "./usage.ts";

/** The work of a turn that answers a user's input. */
export function answerInput(first: PendingInput): (thread: Thread, turn: ActiveTurn) => Promise<void> {
  return async (thread, turn) => {
    turn.pending.unshift(first);
    await modelLoop(thread, turn);
  };
}

/** Asks the model, runs its calls and asks again, until the model is done and there is no more input. */
export async function modelLoop(thread: Thread, turn: ActiveTurn): Promise<void> {
  const conversation = threadConversation(thread, turn);
  const { features } = thread;
  if (!(await features.begin(turn, conversation.add))) return;
  let continues = true;
  let isFirst = true;
  let continuedByHook = false;
  while (continues || turn.injected || turn.pending.length > 0 || turn.notes.length > 0) {
    // Input that is refused is nothing to ask the model about.
    let ask = (continues && !isFirst) || turn.injected || turn.notes.length > 0 || turn.pending.length === 0;
    isFirst = false;
    turn.injected = false;
    // Compacts before adding new input, so the input itself is never summarised.
    if (shouldCompact(thread)) await compact(thread, turn);
    sendContextChanges(thread, turn);
    for (let next = turn.pending.shift(); next !== undefined; next = turn.pending.shift()) {
      const verdict = await features.input(turn, next);
      if (verdict?.refused !== true) {
        ask = true;
        await addInput(thread, turn, next);
      } else next.taken?.();
      if (verdict) conversation.add(verdict.contexts);
    }
    continues = false;
    if (!ask) continue;
    conversation.add(turn.notes.splice(0));
    await features.notes(turn, conversation.add);
    turn.signal.throwIfAborted();
    continues = await step(thread, turn, conversation);
    if (!continues && turn.pending.length === 0) {
      continues = continuedByHook = await features.stop(turn, { isAgain: continuedByHook, add: conversation.add });
    }
  }
}

/** Runs one model response and its calls. Returns true when the model wants to continue. */
export async function step(thread: Thread, turn: ActiveTurn, conversation: Conversation): Promise<boolean> {
  // A step that has begun keeps its place.
  turn.place = turnPlace(turn);
  const outcome = await respond(thread, turn, conversation);
  conversation.add(outcome.produced);
  const { items, ...answered } = await runCalls(thread, turn, outcome.calls);
  conversation.add(items);
  thread.toolbox.sendDiff(turn.id);
  if (outcome.result) countUsage(thread, turn.id, outcome.result);
  thread.features.afterCalls(turn, { ...outcome, ...answered, add: conversation.add });
  turn.signal.throwIfAborted();
  countCalls(turn, outcome.calls.length);
  return outcome.calls.length > 0 || outcome.result?.endTurn === false;
}

async function respond(thread: Thread, turn: ActiveTurn, conversation: Conversation): Promise<Outcome> {
  const { features } = thread;
  await features.beforeModel(turn);
  const run = new ResponseRun(thread, turn, conversation.shown);
  const request = modelRequest(thread, turn, conversation);
  const provider = observedProvider(thread, conversation.role);
  let outcome: Outcome;
  try {
    outcome = await run.run((sink, signal) => provider.stream(request, sink, signal));
  } catch (error) {
    await features.afterModel(turn, { result: failureOf(error), calls: [] });
    throw error;
  }
  await features.afterModel(turn, outcome);
  thread.limits = run.limits ?? thread.limits;
  return outcome;
}

function failureOf(error: unknown): Error {
  const cause = error instanceof CutShort ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** Adds a user's input to the thread: as an item, and as the model sees it. */
async function addInput(thread: Thread, turn: ActiveTurn, { input, clientId, taken }: PendingInput): Promise<void> {
  // Empty input only lets the model continue.
  if (input.length > 0) {
    const messages = await thread.core.prompts.userMessages(input, thread.settings, thread.config);
    const content = input.map(withDefaults);
    const item = { type: "userMessage" as const, id: Bun.randomUUIDv7(), clientId, content, startedAtMs: Date.now() };
    thread.showItem(turn.id, item, messages);
    notifyRawItems(thread, turn, messages);
  }
  taken?.();
}

/** Input as the wire shows it, with the optional fields filled in. */
function withDefaults(part: UserInput): UserInput {
  if (part.type === "text") return { ...part, text_elements: part.text_elements ?? [] };
  return part.type === "image" || part.type === "localImage" ? { ...part, detail: part.detail ?? null } : part;
}
