import { untilAborted } from "../lib/until-aborted.ts";
import type { Clock } from "./clock.ts";
import { disconnected, Failure } from "./failure.ts";
import { httpFailure } from "./http-failure.ts";
import { IdleWatch } from "./idle-watch.ts";
import type { ModelResult, ModelSink } from "./model-provider.ts";
import { rateLimitSnapshots } from "./rate-limit-headers.ts";
import { redactUrl } from "./redact-failure.ts";
import { maxModelRequests, RequestSlots } from "./request-slots.ts";
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

/** Of the process, as the runtime's limit is. */
const slots = new RequestSlots(maxModelRequests);

const maxErrorBytes = 64 * 1024;

/** Time to read the rest after the last event, so that the connection can serve the next request. */
const drainMs = 1000;

/**
 * Sends a request once and delivers its events. Rejects with a {@link Failure}, the signal's reason, or the sink's
 * error; in each case the connection is released.
 */
export async function streamOnce(request: PreparedRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult> {
  const giveBack = await slots.take(signal);
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

async function connect(request: PreparedRequest, signal: AbortSignal): Promise<Response> {
  const { url, headers, body } = request;
  try {
    // The runtime's own limit on silence is off: the watch has the configured one.
    return await fetch(url, { method: "POST", headers, body, signal, timeout: false });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Failure(
      `Connection failed: ${reasonOf(error)}, url: ${url}`,
      { httpConnectionFailed: { httpStatusCode: null } },
      { retry: "both" },
    );
  }
}

async function receive(response: Response, reception: Reception): Promise<ModelResult> {
  const { request, sink, abort } = reception;
  const reader: Reader | undefined = response.body?.getReader();
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

async function readEvents(reader: Reader, events: ResponseEvents, { sink, watch, abort }: Reception): Promise<void> {
  let heard = false;
  const parser = new SseParser((data) => {
    heard = true;
    events.take(data);
  });
  for (;;) {
    const piece = await readPiece(reader, abort.signal);
    if (piece === undefined) parser.end();
    else push(parser, piece);
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

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

async function readPiece(reader: Reader, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw disconnected(`network error: ${reasonOf(error)}`);
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

async function readError(reader: Reader, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < maxErrorBytes) {
    const piece = await readPiece(reader, signal);
    if (piece === undefined) return Buffer.concat(pieces).toString("utf8");
    pieces.push(piece);
    bytes += piece.length;
  }
  void reader.cancel().catch(() => {});
  return Buffer.concat(pieces).subarray(0, maxErrorBytes).toString("utf8");
}

/** Reads to the end if that is near, else hangs up. */
async function drain(reader: Reader, clock: Clock): Promise<void> {
  const hangUp = (): void => void reader.cancel().catch(() => {});
  const cancel = clock.after(drainMs, hangUp);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The other side hung up first.
  } finally {
    cancel();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? `${error.code} (${error.message})` : error.message;
}
