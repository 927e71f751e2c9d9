import type { TurnEvent } from "@quire/client";
import type { ThreadItem, UserInput } from "@quire/protocol";
import type { SessionUpdate } from "./protocol.ts";
import { outputContent, toolCall } from "./tool-calls.ts";

/** The pause between two reports of what a command prints: each holds all of it. */
const outputMs = 250;

/** Makes an editor's updates out of the events of one turn. */
export class TurnUpdates {
  readonly #send: (update: SessionUpdate) => void;
  readonly #said = new Set<string>();
  readonly #outputs = new Map<string, { text: string; sentAt: number }>();

  constructor(send: (update: SessionUpdate) => void) {
    this.#send = send;
  }

  /** Takes the next event. */
  take(event: TurnEvent): void {
    switch (event.type) {
      case "agentMessage.delta":
        this.#said.add(event.itemId);
        this.#send(chunk("agent_message_chunk", event.delta));
        break;
      case "reasoning.summaryTextDelta":
        this.#said.add(event.itemId);
        this.#send(chunk("agent_thought_chunk", event.delta));
        break;
      case "item.started":
        this.#call("tool_call", event.item);
        break;
      case "item.completed":
        this.#outputs.delete(event.item.id);
        if (!this.#said.has(event.item.id)) for (const update of spoken(event.item)) this.#send(update);
        this.#call("tool_call_update", event.item);
        break;
      case "commandExecution.outputDelta":
        this.#output(event.itemId, event.delta);
        break;
      case "turn.plan.updated":
        this.#send({ sessionUpdate: "plan", entries: event.plan.map(planEntry) });
        break;
    }
  }

  #call(sessionUpdate: string, item: ThreadItem): void {
    const call = toolCall(item);
    if (call) this.#send({ sessionUpdate, ...call });
  }

  #output(toolCallId: string, delta: string): void {
    const output = this.#outputs.get(toolCallId) ?? { text: "", sentAt: 0 };
    // Twice of what is shown, so that cutting costs little.
    output.text = (output.text + delta).slice(-64 * 1024);
    this.#outputs.set(toolCallId, output);
    const now = Date.now();
    if (now - output.sentAt < outputMs) return;
    output.sentAt = now;
    this.#send({ sessionUpdate: "tool_call_update", toolCallId, content: outputContent(output.text) });
  }
}

/** A stored item as an editor is told of it again. */
export function replayed(item: ThreadItem): SessionUpdate[] {
  const call = toolCall(item);
  return call ? [{ sessionUpdate: "tool_call", ...call }] : spoken(item);
}

function spoken(item: ThreadItem): SessionUpdate[] {
  switch (item.type) {
    case "userMessage":
      return [chunk("user_message_chunk", item.content.map(textOf).join(""))];
    case "agentMessage":
    case "plan":
      return item.text === "" ? [] : [chunk("agent_message_chunk", item.text)];
    case "reasoning":
      return (item.summary ?? []).map((text) => chunk("agent_thought_chunk", text));
    default:
      return [];
  }
}

const textOf = (input: UserInput): string => (input.type === "text" ? input.text : `[${input.type}]`);

function chunk(sessionUpdate: string, text: string): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text } };
}

function planEntry({ step, status }: { readonly step: string; readonly status: string }): object {
  return { content: step, priority: "medium", status: status === "inProgress" ? "in_progress" : status };
}
