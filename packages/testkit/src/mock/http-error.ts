/** An answer that is no stream: a status, a body, headers. */
export interface HttpErrorReply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An HTTP error in place of a stream. An object becomes JSON; without a body, the API's usual error object is sent.
 *
 * ```ts
 * mock.script(httpError(429, { error: { type: "usage_limit_reached", message: "…" } }, { "retry-after": "1" }));
 * ```
 */
export function httpError(
  status: number,
  body: object | string = { error: { message: `Scripted HTTP ${status}`, type: "scripted_error", code: null } },
  headers: Readonly<Record<string, string>> = {},
): HttpErrorReply {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  return {
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": type, ...headers },
  };
}
