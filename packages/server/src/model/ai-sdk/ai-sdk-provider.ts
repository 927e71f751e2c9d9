import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ResponseItem } from "@quire/protocol";
import { untilAborted } from "../../lib/until-aborted.ts";
import { drain } from "../attempt/connect.ts";
import type { Clock } from "../clock.ts";
import { disconnected, Failure } from "../failure.ts";
import { IdleWatch } from "../idle-watch.ts";
import type { ModelRequest, ModelResult, ModelSink } from "../model-provider.ts";
import { PlainTools } from "../plain/plain-tools.ts";
import { modelSlots } from "../request-slots.ts";
import { callOptions, type WireTraits } from "./call-options.ts";
import { type LanguageModel, startStream } from "./language-model.ts";
import { PartEvents } from "./part-events.ts";
import { requestFailure, streamFailure } from "./sdk-failure.ts";

/** A model of the AI SDK with what its wire needs. */
export interface SdkModel {
  readonly model: LanguageModel;
  /** The provider's id. */
  readonly provider: string;
  readonly traits: WireTraits;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/** The request in the terms of the AI SDK; the same for every attempt. */
export interface PreparedCall {
  readonly tools: PlainTools;
  readonly options: LanguageModelV4CallOptions;
  readonly usedIds: ReadonlySet<string>;
}

/** Prepares a request. */
export function prepareCall(request: ModelRequest, provider: string, traits: WireTraits): PreparedCall {
  const { input } = request;
  const tools = new PlainTools(request.tools, { input });
  return { tools, options: callOptions(request, tools, { provider, traits }), usedIds: callIds(input) };
}

/**
 * Asks a model of the AI SDK once and delivers its answer. Rejects with a {@link Failure}, the signal's reason, or the
 * sink's error; in each case the request has ended.
 */
export async function streamSdk(
  what: SdkModel & { readonly call: PreparedCall },
  sink: ModelSink,
  signal: AbortSignal,
): Promise<ModelResult> {
  const giveBack = await modelSlots.take(signal);
  const abort = new AbortController();
  const onAbort = (): void => abort.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const { clock, idleTimeoutMs } = what;
  const watch = new IdleWatch(clock, idleTimeoutMs, () =>
    abort.abort(disconnected(`no event for ${idleTimeoutMs} ms (stream_idle_timeout_ms)`)),
  );
  try {
    signal.throwIfAborted();
    return await receive(what, { sink, watch, abort });
  } catch (error) {
    abort.abort(error);
    throw error;
  } finally {
    giveBack();
    watch.stop();
    signal.removeEventListener("abort", onAbort);
  }
}

interface Reception {
  readonly sink: ModelSink;
  readonly watch: IdleWatch;
  readonly abort: AbortController;
}

async function receive(
  what: SdkModel & { readonly call: PreparedCall },
  { sink, watch, abort }: Reception,
): Promise<ModelResult> {
  const { model, provider, traits, call, clock } = what;
  const { signal } = abort;
  const started = startStream(model, { ...call.options, abortSignal: signal });
  const stream = await untilAborted(started, signal).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : requestFailure(error);
  });
  watch.touch();
  const events = new PartEvents(sink, { ...call, provider, summarizes: traits.summarizes });
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  for (;;) {
    const part = await nextPart(reader, signal);
    if (part === undefined) break;
    watch.touch();
    events.take(part);
    if (events.outcome !== undefined) break;
    const ready = sink.ready();
    if (ready === undefined) continue;
    watch.hold();
    await untilAborted(ready, signal);
    watch.resume();
  }
  signal.removeEventListener("abort", cancel);
  void drain(reader, clock);
  const { outcome } = events;
  if (outcome === undefined) throw disconnected("stream closed before the response was complete");
  if (outcome instanceof Failure) throw outcome;
  return outcome;
}

async function nextPart(
  reader: { read(): Promise<{ readonly value?: LanguageModelV4StreamPart | undefined }> },
  signal: AbortSignal,
): Promise<LanguageModelV4StreamPart | undefined> {
  try {
    const { value } = await reader.read();
    signal.throwIfAborted();
    return value;
  } catch (error) {
    throw signal.aborted ? signal.reason : streamFailure(error);
  }
}

function callIds(input: readonly ResponseItem[]): Set<string> {
  return new Set(input.flatMap((item) => ("call_id" in item && item.call_id ? [item.call_id] : [])));
}
