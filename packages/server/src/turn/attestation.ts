import type { Thread } from "../thread/thread.ts";

/** Every request to the model waits for it. */
const patienceMs = 1000;

/** The result, in the terms of the header's reader. */
const outcome = { answered: 0, timeout: 1, refused: 2, withdrawn: 3, malformed: 4 } as const;

/**
 * The attestation header of a request to ChatGPT, from one client that offered it; `null` without any. Reports
 * failures.
 */
export async function attestation(thread: Thread): Promise<string | null> {
  const client = [...thread.subscribers].find(({ facts }) => facts?.attests === true);
  if (client === undefined) return null;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer: { readonly token?: unknown } | null = await client.ask("attestation/generate", {}, signal).answer;
    return typeof answer?.token === "string" ? envelope(outcome.answered, answer.token) : envelope(outcome.malformed);
  } catch {
    if (signal.aborted) return envelope(outcome.timeout);
    return envelope(client.open ? outcome.refused : outcome.withdrawn);
  }
}

function envelope(s: number, t?: string): string {
  // A header holds no other characters.
  return JSON.stringify({ v: 1, s, t }).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
