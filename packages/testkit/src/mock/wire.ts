import type { IdSource, Piece } from "./event-stream.ts";
import type { HttpErrorReply } from "./http-error.ts";
import type { ModelRequestBody, RequestHeaders } from "./recorded-request.ts";
import type { ReplyScript } from "./steps.ts";

/** A parsed request as it came. */
export interface SentRequest {
  /** Without a leading version such as `/v1`. */
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Context in which a reply is played. */
export interface PlayContext {
  readonly id: IdSource;
  readonly sent: SentRequest;
  readonly model: string;
}

/** An HTTP API of models, as a mock serves it. */
export interface Wire {
  /** True for the path of a model request. */
  handles(path: string): boolean;
  /** The request in the terms of the Responses API, for the accessors of a recorded request. */
  read(sent: SentRequest): ModelRequestBody;
  /** The refusal of a request that the API does not accept. Never throws. */
  check(sent: SentRequest): HttpErrorReply | undefined;
  play(script: ReplyScript, context: PlayContext): Iterable<Piece>;
  /** An error in the shape of this API. */
  error(status: number, message: string, headers?: Readonly<Record<string, string>>): HttpErrorReply;
}
