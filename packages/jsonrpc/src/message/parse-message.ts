import { ErrorCode, type ErrorObject, type NotificationMessage, type RequestId } from "./message.ts";
import { withoutNested } from "./nesting.ts";

/** A classified line; `kind` depends on the members present, never on `jsonrpc`. */
export interface RawMessage {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: ErrorObject | null;
}

/** Why a line is no message. */
export class MalformedMessage {
  /** The error to report, and to answer with. */
  readonly error: ErrorObject;
  /** The id to answer to, where the line had a usable one and was meant as a request. */
  readonly id: RequestId | null;
  /** True if the line looks like a reply or a notification; those are never answered. */
  readonly isReply: boolean;

  constructor(error: ErrorObject, id: RequestId | null, isReply: boolean) {
    this.error = error;
    this.id = id;
    this.isReply = isReply;
  }
}

/** Recognizes notifications. Nearly every message is one, so this is checked first. */
export function isNotification(value: unknown): value is NotificationMessage {
  if (typeof value !== "object" || value === null) return false;
  const { id, method } = value as RawMessage;
  return id === undefined && typeof method === "string";
}

/** Result for a line that is not JSON. */
export function unparsable(error: unknown): MalformedMessage {
  return new MalformedMessage({ code: ErrorCode.parseError, message: `Parse error: ${reasonOf(error)}` }, null, false);
}

/** Result for a line that is nested too deeply; only its own members are read. */
export function tooDeep(text: string): MalformedMessage {
  let value: unknown;
  try {
    value = JSON.parse(withoutNested(text));
  } catch (error) {
    return unparsable(error);
  }
  const message = checkMessage(value);
  if (message instanceof MalformedMessage) return message;
  return invalid(
    "recursion limit exceeded",
    message.id ?? null,
    message.method === undefined || message.id === undefined,
  );
}

/** Looks at a parsed line. The check is cheap: only the envelope, once. */
export function checkMessage(value: unknown): RawMessage | MalformedMessage {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("a message must be an object", null, false);
  }
  const message = value as { id?: unknown; method?: unknown; result?: unknown; error?: unknown };
  const { id, method } = message;
  if (typeof method === "string") {
    if (id === undefined || typeof id === "number" || typeof id === "string") return value as RawMessage;
    return invalid("id must be a number or a string", null, false);
  }
  const usableId = typeof id === "number" || typeof id === "string" ? id : null;
  if (method !== undefined) return invalid("method must be a string", usableId, false);
  if (message.error !== undefined && message.error !== null) {
    if (isErrorObject(message.error)) return value as RawMessage;
    return invalid("error must have a numeric code and a message", usableId, true);
  }
  if (message.result !== undefined && id !== undefined) return value as RawMessage;
  return invalid("neither method nor result nor error is present", usableId, true);
}

function invalid(reason: string, id: RequestId | null, isReply: boolean): MalformedMessage {
  return new MalformedMessage({ code: ErrorCode.invalidRequest, message: `Invalid request: ${reason}` }, id, isReply);
}

function isErrorObject(value: unknown): value is ErrorObject {
  if (typeof value !== "object" || value === null) return false;
  const { code, message } = value as { code?: unknown; message?: unknown };
  return typeof code === "number" && typeof message === "string";
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
