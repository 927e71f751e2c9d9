import { Failure } from "./failure.ts";

/** Headers without secrets; a provider's own may all be keys. */
const harmless: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "user-agent",
  "originator",
  "session-id",
  "thread-id",
  "x-client-request-id",
]);

/** Shorter values are no keys, and occur in other words. */
const leastLength = 8;

/**
 * A failure that may be shown and stored: without the keys in headers, which some endpoints repeat, and in the address.
 */
export function redactFailure(
  failure: Failure,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Failure {
  let message = failure.message.replaceAll(url, redactUrl(url));
  for (const [name, value] of Object.entries(headers)) {
    const key = value.replace(/^(?:Bearer|Basic) /i, "");
    if (!harmless.has(name.toLowerCase()) && key.length >= leastLength) message = message.replaceAll(key, "***");
  }
  return message === failure.message ? failure : new Failure(message, failure.info, failure);
}

/** An address without query, name and password. */
export function redactUrl(url: string): string {
  return url.replace(/[?#][\s\S]*$/, "").replace(/^([a-z]+:\/\/)[^/]*@/i, "$1");
}
