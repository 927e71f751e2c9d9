import type { ThreadItem } from "@quire/protocol";
import { failureMessage } from "../lib/failure-message.ts";
import type { Approvals } from "../questions/approvals.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import { sseEvent } from "./sse.ts";
import type { ShelvedTurn } from "./turn-shelf.ts";
import { turnSteps } from "./turn-steps.ts";

/** The header by which the AI SDK knows its stream. */
export const uiHeaders: Readonly<Record<string, string>> = { "x-vercel-ai-ui-message-stream": "v1" };

type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A turn as the AI SDK's stream of a UI message: texts, reasoning, and everything else as dynamic tools. */
export async function* uiSource(shelved: ShelvedTurn, approvals?: Approvals): AsyncGenerator<string, undefined> {
  const { id, threadId, turn } = shelved;
  const chunks = new UiChunks();
  yield sseEvent({ type: "start", messageId: id, messageMetadata: { threadId, turnId: id } });
  const known = new Set<string>();
  try {
    for await (const step of turnSteps(shelved, approvals)) {
      if (step.event) for (const chunk of chunks.of(step.event)) yield sseEvent(chunk);
      for (const approval of step.event ? [] : step.open) {
        if (known.has(approval.id)) continue;
        known.add(approval.id);
        yield sseEvent({ type: "data-approval", id: approval.id, data: approval });
      }
    }
    const { status } = await turn.result;
    yield sseEvent(status === "completed" ? { type: "finish" } : { type: "abort" });
  } catch (error) {
    yield sseEvent({ type: "error", errorText: failureMessage(error) });
  }
  yield "data: [DONE]\n\n";
  return undefined;
}

/** Makes chunks of events. */
class UiChunks {
  /** Texts that have begun, by their id. */
  readonly #texts = new Set<string>();
  #isLagging = false;

  of(event: TurnEvent): Chunk[] {
    if (event.type === "lagged") this.#isLagging = true;
    // Once something was missed only whole items are taken: pieces would leave gaps.
    if (this.#isLagging && /delta$/i.test(event.type)) return [];
    switch (event.type) {
      case "agentMessage.delta":
        return this.#delta("text", event.itemId, event.delta);
      case "reasoning.summaryTextDelta":
        return this.#delta("reasoning", event.itemId, event.delta);
      case "item.started":
        return toolStart(event.item);
      case "item.completed":
        return this.#completed(event.item);
      default:
        return [];
    }
  }

  #delta(kind: "text" | "reasoning", id: string, delta: string): Chunk[] {
    const start = this.#texts.has(id) ? [] : [{ type: `${kind}-start`, id }];
    this.#texts.add(id);
    return [...start, { type: `${kind}-delta`, id, delta }];
  }

  #completed(item: ThreadItem): Chunk[] {
    if (item.type === "agentMessage") return this.#end("text", item.id, item.text);
    if (item.type === "reasoning") return this.#end("reasoning", item.id, (item.summary ?? []).join("\n\n"));
    if (!isTool(item)) return [];
    return [{ type: "tool-output-available", toolCallId: item.id, output: item, dynamic: true }];
  }

  #end(kind: "text" | "reasoning", id: string, text: string): Chunk[] {
    const isNew = !this.#texts.has(id);
    if (isNew && text === "") return [];
    const whole = isNew ? this.#delta(kind, id, text) : [];
    this.#texts.delete(id);
    return [...whole, { type: `${kind}-end`, id }];
  }
}

function toolStart(item: ThreadItem): Chunk[] {
  if (!isTool(item)) return [];
  return [{ type: "tool-input-available", toolCallId: item.id, toolName: item.type, input: item, dynamic: true }];
}

/** Tells whether an item is something that the agent does, and not something that is said. */
function isTool({ type }: ThreadItem): boolean {
  return !["userMessage", "agentMessage", "reasoning", "plan", "contextCompaction"].includes(type);
}
