import { untilAborted } from "../../lib/until-aborted.ts";
import { AnswerBound } from "../attempt/answer-bound.ts";
import { type ByteReader, connect, drain, readError, readPiece } from "../attempt/connect.ts";
import type { Clock } from "../clock.ts";
import { disconnected, Failure } from "../failure.ts";
import { httpFailure } from "../http-failure.ts";
import { IdleWatch } from "../idle-watch.ts";
import type { ModelResult, ModelSink } from "../model-provider.ts";
import { redactUrl } from "../redact-failure.ts";
import { modelSlots } from "../request-slots.ts";
import { rateLimitSnapshots } from "./rate-limit-headers.ts";
import { ResponseEvents } from "./response-events.ts";
import { SseParser } from "./sse-parser.ts";

/** An HTTP request, ready to be sent. */
export interface PreparedRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/**
 * Sends a request once and delivers its events. Rejects with a {@link Failure}, the signal's reason, or the sink's
 * error; in each case the connection is released.
 */
export async function streamOnce(request: PreparedRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult> {
  const giveBack = await modelSlots.take(signal);
  const abort = new AbortController();
  const onAbort = (): void => abort.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const { clock, idleTimeoutMs } = request;
  const watch = new IdleWatch(clock, idleTimeoutMs, () =>
    abort.abort(disconnected(`no event for ${idleTimeoutMs} ms (stream_idle_timeout_ms)`)),
  );
  try {
    // It may have happened while a slot was on its way here.
    signal.throwIfAborted();
    const response = await connect(request, abort.signal);
    watch.touch();
    return await receive(response, { request, sink, watch, abort });
  } finally {
    giveBack();
    watch.stop();
    signal.removeEventListener("abort", onAbort);
  }
}

interface Reception {
  readonly request: PreparedRequest;
  readonly sink: ModelSink;
  readonly watch: IdleWatch;
  readonly abort: AbortController;
}

async function receive(response: Response, reception: Reception): Promise<ModelResult> {
  const { request, sink, abort } = reception;
  const reader: ByteReader | undefined = response.body?.getReader();
  if (!response.ok || !reader) {
    const body = reader ? await readError(reader, abort.signal) : "";
    const { status, statusText, headers } = response;
    const failure = httpFailure({ status, statusText, headers, body, url: request.url });
    if (failure.info === "usageLimitExceeded") reportLimits(headers, sink);
    throw failure;
  }
  reportLimits(response.headers, sink);
  const model = response.headers.get("openai-model");
  if (model) sink.notice?.({ kind: "served", model });
  const events = new ResponseEvents(sink, response.headers.get("x-codex-safety-buffering-faster-model"));
  try {
    await readEvents(reader, events, reception);
  } catch (error) {
    abort.abort(error);
    throw error;
  }
  const { outcome } = events;
  if (outcome === undefined) throw endedEarly(response, events);
  void drain(reader, request.clock);
  if (outcome instanceof Failure) throw outcome;
  return outcome;
}

async function readEvents(
  reader: ByteReader,
  events: ResponseEvents,
  { sink, watch, abort }: Reception,
): Promise<void> {
  let heard = false;
  const bound = new AnswerBound();
  const parser = new SseParser((data) => {
    heard = true;
    events.take(data);
  });
  for (;;) {
    const piece = await readPiece(reader, abort.signal);
    if (piece === undefined) parser.end();
    else {
      bound.take(piece.length);
      push(parser, piece);
    }
    // Comments may come from a proxy, also when the model is gone.
    if (heard) watch.touch();
    heard = false;
    if (piece === undefined || events.outcome !== undefined) return;
    const ready = sink.ready();
    if (ready === undefined) continue;
    watch.hold();
    await untilAborted(ready, abort.signal);
    watch.resume();
  }
}

function push(parser: SseParser, piece: Uint8Array): void {
  try {
    parser.push(piece);
  } catch (error) {
    if (error instanceof RangeError) throw new Failure(`the model's answer cannot be read: ${error.message}`, "other");
    throw error;
  }
}

/** A response without any event was no event stream: the address is probably wrong. */
function endedEarly(response: Response, events: ResponseEvents): Failure {
  const type = response.headers.get("content-type") ?? "no content type";
  if (events.any || type.includes("event-stream")) return disconnected("stream closed before response.completed");
  return new Failure(
    `the answer is no stream of events but ${type}: check the provider's base_url, url: ${redactUrl(response.url)}`,
    { responseStreamConnectionFailed: { httpStatusCode: response.status } },
    { retry: "stream", httpStatus: response.status },
  );
}

function reportLimits(headers: Headers, sink: ModelSink): void {
  for (const snapshot of rateLimitSnapshots(headers)) sink.rateLimits(snapshot);
}
