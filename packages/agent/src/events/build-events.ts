import type { TokenUsage } from "@quire/client/guards";
import { type Clock, systemClock } from "../lib/clock.ts";
import {
  type ExecutedResult,
  PromptExecuted,
  type PromptExecutedEvent,
  PromptRendered,
  type PromptRenderedEvent,
  RenderedTools,
  type RenderedToolsEvent,
  type ToolDescription,
  ToolInvoked,
  type ToolInvokedEvent,
} from "./canonical.ts";
import type { RunContext } from "./run-context.ts";
import type { ToolResult } from "./tool-result.ts";

/** The name under which evaluations on an app-server appear in events. */
export const adapterName: string = "codex_app_server";

/** Output in events is cut to so many characters: they are kept as long as the session. */
const mostOutput = 1000;

/** Options of all builders of events. */
export interface EventFacts {
  /** Default {@link adapterName}. */
  readonly adapter?: string | undefined;
  readonly sessionId?: string | null | undefined;
  readonly runContext?: RunContext | null | undefined;
  readonly clock?: Clock | undefined;
}

function common({ sessionId = null, clock = systemClock }: EventFacts) {
  return { eventId: crypto.randomUUID(), createdAt: new Date(clock.now()).toISOString(), sessionId };
}

/** Options of {@link promptRendered}. */
export interface PromptRenderedFacts extends EventFacts {
  readonly prompt: { readonly ns: string; readonly key: string; readonly name: string | null };
  /** The text. */
  readonly renderedPrompt: string;
  readonly renderInputs?: readonly unknown[] | undefined;
  readonly descriptor?: unknown;
}

/** Makes a {@link PromptRendered} event. */
export function promptRendered(facts: PromptRenderedFacts): PromptRenderedEvent {
  const { prompt, renderedPrompt, renderInputs = [], descriptor = null, adapter = adapterName, runContext } = facts;
  return PromptRendered({
    ...common(facts),
    promptNs: prompt.ns,
    promptKey: prompt.key,
    promptName: prompt.name,
    adapter,
    renderInputs,
    renderedPrompt,
    descriptor,
    runContext: runContext ?? null,
  });
}

/** Options of {@link renderedTools}. */
export interface RenderedToolsFacts {
  /** The event that it belongs to. */
  readonly renderEvent: PromptRenderedEvent;
  readonly tools: readonly ToolDescription[];
  readonly clock?: Clock | undefined;
}

/** Makes a {@link RenderedTools} event. */
export function renderedTools({ renderEvent, tools, clock }: RenderedToolsFacts): RenderedToolsEvent {
  const { promptNs, promptKey, sessionId, eventId: renderEventId } = renderEvent;
  return RenderedTools({ ...common({ sessionId, clock }), promptNs, promptKey, tools, renderEventId });
}

/** Options of {@link toolInvoked}. */
export interface ToolInvokedFacts extends EventFacts {
  readonly promptName: string;
  readonly name: string;
  readonly params: unknown;
  readonly result: ToolResult;
  /** The text for the model; it is cut to 1000 characters. */
  readonly renderedOutput: string;
  readonly callId?: string | null | undefined;
  readonly usage?: TokenUsage | null | undefined;
}

/** Makes a {@link ToolInvoked} event. */
export function toolInvoked(facts: ToolInvokedFacts): ToolInvokedEvent {
  const { promptName, name, params, result, renderedOutput, adapter = adapterName } = facts;
  return ToolInvoked({
    ...common(facts),
    promptName,
    adapter,
    name,
    params,
    result,
    usage: facts.usage ?? null,
    renderedOutput: cut(renderedOutput),
    callId: facts.callId ?? null,
    runContext: facts.runContext ?? null,
  });
}

/** Options of {@link promptExecuted}. */
export interface PromptExecutedFacts extends EventFacts {
  readonly promptName: string;
  readonly result: ExecutedResult;
  readonly usage?: TokenUsage | null | undefined;
}

/** Makes a {@link PromptExecuted} event. */
export function promptExecuted(facts: PromptExecutedFacts): PromptExecutedEvent {
  const { promptName, result, adapter = adapterName, usage, runContext } = facts;
  return PromptExecuted({
    ...common(facts),
    promptName,
    adapter,
    result,
    usage: usage ?? null,
    runContext: runContext ?? null,
  });
}

/** By code points, so that no pair is split. */
function cut(text: string): string {
  return text.length <= mostOutput ? text : [...text].slice(0, mostOutput).join("");
}
