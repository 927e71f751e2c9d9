import { TrackerError } from "../../tracker/tracker-error.ts";

/** Longest wait for one answer of a tracker, in milliseconds. */
const timeoutMs = 30_000;

/** Largest answer that is read. A page of a hundred issues with long descriptions stays well below it. */
const maxBytes = 32 * 1024 * 1024;

/** A request to a tracker's API. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; JSON is made by the caller. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response with any status. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends one request and reads the whole answer, within {@link timeoutMs} and {@link maxBytes}. A redirect is not followed:
 * it could lead the credential to another host. Every failure is a `tracker_request`.
 */
export async function boundedFetch(request: WireRequest): Promise<WireResponse> {
  const { method, url, headers, body, signal } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    return { status: response.status, headers: response.headers, text: await readBounded(response) };
  } catch (cause) {
    if (cause instanceof TrackerError) throw cause;
    const { origin } = new URL(url);
    const why = deadline.aborted
      ? `gave no answer within ${timeoutMs / 1000} s`
      : `could not be reached: ${reason(cause)}`;
    throw new TrackerError("tracker_request", `${origin} ${why}. Check the network and the tracker's address.`, {
      cause,
    });
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new TrackerError("tracker_response", `The tracker's answer is larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** The JSON of an answer; what is none is a `tracker_response`. */
export function parseJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TrackerError("tracker_response", `${from} answered with something that is no JSON.`, { cause });
  }
}
