import { RpcError } from "@quire/jsonrpc";
import { isOverloaded } from "@quire/protocol";
import { backoffMs, delay } from "../lib/backoff.ts";
import type { CallOptions } from "../port/server-port.ts";

const baseMs = 50;
const maxMs = 2000;

/** True if a call was refused for now and has not begun: the server is too busy, or still closes the thread. */
export function isRefusedForNow(error: unknown): error is RpcError {
  return RpcError.is(error) && (isOverloaded(error) || error.message.includes("is closing; retry thread/resume"));
}

/**
 * Repeats a call that the server refused for now, until it runs or the call's time is up; then the server's own
 * error is thrown. Every other error is thrown at once. The end of the link's life ends the waiting too.
 */
export async function retryOverloaded(
  first: unknown,
  attempt: (timeoutMs: number) => Promise<unknown>,
  { timeoutMs = 0, signal, life }: CallOptions & { readonly life: AbortSignal },
): Promise<unknown> {
  const deadline = timeoutMs === 0 ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  let error = first;
  for (let tries = 0; isRefusedForNow(error); tries++) {
    const wait = backoffMs(tries, baseMs, maxMs);
    if (performance.now() + wait >= deadline) break;
    await delay(wait, signal, life);
    try {
      return await attempt(timeoutMs === 0 ? 0 : Math.max(1, deadline - performance.now()));
    } catch (again) {
      error = again;
    }
  }
  throw error;
}
