import type { CodexErrorInfo } from "../generated/turn.ts";

type StringForm = Extract<CodexErrorInfo, string>;
type TaggedForm<T> = T extends string ? never : string extends keyof T ? never : keyof T;

/** The kinds of failed turns that this version of the protocol names. */
export type CodexErrorKind = StringForm | TaggedForm<CodexErrorInfo>;

/**
 * The kind of an error, whichever form it has: `"unauthorized"` for the string, `"httpConnectionFailed"` for
 * `{ httpConnectionFailed: { httpStatusCode: 503 } }`. Newer servers may send kinds that are not listed.
 */
export function codexErrorKind(info: CodexErrorInfo | null | undefined): CodexErrorKind | undefined {
  if (info === null || info === undefined) return undefined;
  return typeof info === "string" ? info : Object.keys(info)[0];
}

/** Details of an error in object form; `undefined` for the string form. */
export function codexErrorDetails(info: CodexErrorInfo | null | undefined): Record<string, unknown> | undefined {
  if (typeof info !== "object" || info === null) return undefined;
  const [details] = Object.values(info) as unknown[];
  return typeof details === "object" && details !== null ? { ...details } : undefined;
}

/** The HTTP status with which the model provider answered, where it answered at all. */
export function codexErrorHttpStatus(info: CodexErrorInfo | null | undefined): number | undefined {
  const status = codexErrorDetails(info)?.httpStatusCode;
  return typeof status === "number" ? status : undefined;
}
