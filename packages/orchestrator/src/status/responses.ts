import type { RunError } from "../events/run-error.ts";

/** Headers of every answer: nothing is stored, framed, or taken for something else. */
const common: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** JSON with the common headers. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { ...common, ...headers } });
}

/** An error in the form that all errors of the API have. */
export function problem(status: number, error: RunError, headers: Readonly<Record<string, string>> = {}): Response {
  return json({ error }, status, headers);
}

/** Text of some type with the common headers. */
export function content(
  type: string,
  body: string | ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { headers: { ...common, "content-type": type, ...headers } });
}
