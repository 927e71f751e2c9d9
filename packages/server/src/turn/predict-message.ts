import type { ThreadPredictionResult } from "@quire/protocol";
import { service } from "../context/services.ts";
import { message, text } from "../prompt/message.ts";
import type { Thread } from "../thread/thread.ts";
import { modelInput } from "./model-input.ts";
import { offeredTools } from "./offered-tools.ts";
import { providerOf } from "./provider-of.ts";
import { SummarySink } from "./summary-sink.ts";

const question = `Say what the user will most likely ask for next: one message, short, in the user's own words and language, and nothing around it. Do not call tools. If you cannot tell, answer with nothing at all.`;

/** The running prediction, which a newer one replaces. */
const prediction = service((_: Thread): { running?: AbortController | undefined } => ({}));

/** Asks the model for the user's next message and notifies subscribers. Keeps neither. Never rejects. */
export async function predictMessage(thread: Thread, sourceTurnId: string): Promise<void> {
  const own = thread.services.get(prediction);
  own.running?.abort();
  const cancel = new AbortController();
  own.running = cancel;
  const result = await ask(thread, sourceTurnId, cancel.signal).catch((error: unknown): ThreadPredictionResult => {
    if (!cancel.signal.aborted) thread.core.server.log.warn("the user's next message could not be predicted", error);
    return { type: "failed" };
  });
  if (own.running === cancel) own.running = undefined;
  thread.notify("thread/prediction/updated", { threadId: thread.id, sourceTurnId, result });
}

async function ask(thread: Thread, turnId: string, signal: AbortSignal): Promise<ThreadPredictionResult> {
  const { settings } = thread;
  const sink = new SummarySink();
  const request = {
    model: settings.model,
    input: [...modelInput(thread), message("user", [text(question)])],
    tools: offeredTools(thread),
    toolChoice: "none" as const,
    effort: settings.effort,
    summary: settings.summary,
    verbosity: thread.config.verbosity,
    outputSchema: null,
    serviceTier: settings.serviceTier,
    threadId: thread.id,
    turnId,
    cwd: settings.cwd,
    metadata: {},
  };
  await providerOf(thread).stream(request, sink, signal);
  return { type: "completed", text: sink.text.trim() || null };
}
