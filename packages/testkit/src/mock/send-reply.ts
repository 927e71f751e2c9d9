import type { ServerResponse } from "node:http";
import type { Piece } from "./event-stream.ts";
import type { HttpErrorReply } from "./http-error.ts";

/** Events are gathered up to this many characters for one write; a small reply goes out whole. */
const batchSize = 64 * 1024;

/** Sends an error whole. */
export function sendHttpError(response: ServerResponse, error: HttpErrorReply): void {
  response.writeHead(error.status, error.headers);
  response.end(error.body);
}

/** A reply, ready to be streamed. */
export interface PlayedReply {
  readonly pieces: Iterable<Piece>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Context of a stream. */
export interface StreamContext {
  /** Settles when the server closes: nothing waits any longer then. */
  readonly closing: Promise<void>;
  /** Called when the last piece was written, so that a later end of the socket is no abort. */
  readonly onSent: () => void;
}

/**
 * Streams a reply as server-sent events, in large writes and no faster than the client reads.
 * Returns early when the client goes away or `closing` settles; never throws for that.
 */
export async function streamReply(response: ServerResponse, reply: PlayedReply, context: StreamContext): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once("close", resolve));
  const stop = Promise.race([gone, context.closing]);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...reply.headers });
  let batch = "";
  const flush = async (): Promise<void> => {
    if (batch === "") return;
    const text = batch;
    batch = "";
    if (!response.write(text)) await Promise.race([new Promise((resolve) => response.once("drain", resolve)), stop]);
  };
  for (const piece of reply.pieces) {
    if (response.destroyed) return;
    if (typeof piece === "string") {
      batch += piece;
      if (batch.length >= batchSize) await flush();
    } else if ("wait" in piece) {
      await flush();
      await wait(piece.wait, stop);
    } else {
      await flush();
      if (piece.end === "cut") {
        context.onSent();
        return cut(response);
      }
    }
  }
  context.onSent();
  response.end(batch);
}

/** Lets what was written reach the client before the socket goes. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(": \n", () => resolve());
  });
  response.socket?.destroy();
  response.destroy();
}

async function wait(what: number | PromiseLike<unknown>, stop: Promise<void>): Promise<void> {
  if (typeof what !== "number") {
    await Promise.race([what, stop]).then(undefined, () => undefined);
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise((resolve) => {
    timer = setTimeout(resolve, what);
  });
  await Promise.race([elapsed, stop]);
  clearTimeout(timer);
}
