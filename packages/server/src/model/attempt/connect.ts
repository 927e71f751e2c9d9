import type { Clock } from "../clock.ts";
import { disconnected, Failure } from "../failure.ts";

interface Drainable {
  read(): Promise<{ readonly done: boolean }>;
  cancel(): Promise<void>;
}

/** A stream of bytes as the runtime gives it. */
export interface ByteReader extends Drainable {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

interface Outgoing {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: RequestInit["body"];
  /** Default `POST`. */
  readonly method?: string | undefined;
  /** False where a header holds a key that the runtime would send along to another address. Default true. */
  readonly follow?: boolean;
}

/** Sends a request and waits for the beginning of its answer. */
export async function connect(
  { url, headers, body, method = "POST", follow = true }: Outgoing,
  signal: AbortSignal,
): Promise<Response> {
  try {
    // The runtime's own limit on silence is off: the watch has the configured one.
    return await fetch(url, {
      method,
      headers,
      body,
      signal,
      redirect: follow ? "follow" : "manual",
      timeout: false,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Failure(
      `Connection failed: ${reasonOf(error)}, url: ${url}`,
      { httpConnectionFailed: { httpStatusCode: null } },
      { retry: "both" },
    );
  }
}

/** The next piece of an answer; `undefined` at its end. */
export async function readPiece(reader: ByteReader, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw disconnected(`network error: ${reasonOf(error)}`);
  }
}

const maxErrorBytes = 64 * 1024;

/** The text of an answer that is an error, up to a bound. */
export async function readError(reader: ByteReader, signal: AbortSignal): Promise<string> {
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

/** An error's code and words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? `${error.code} (${error.message})` : error.message;
}

/** Time to read the rest after the last event, so that the connection can serve the next request. */
const drainMs = 1000;

/** Reads to the end if that is near, else hangs up. */
export async function drain(reader: Drainable, clock: Clock): Promise<void> {
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
