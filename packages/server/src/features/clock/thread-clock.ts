import { service } from "../../context/services.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { Thread } from "../../thread/thread.ts";
import { timeSettings } from "./time-settings.ts";

/** Longest wait for a client's time, including the wait for a client. */
const patienceMs = 10_000;

const clientClock = service((_: Thread): { time?: Date } => ({}));

/** The last time of a client's clock; `undefined` when this machine's counts. */
export function lastClientTime(thread: Thread): Date | undefined {
  return thread.services.made(clientClock)?.time;
}

/** The time for a thread: by this machine's clock, or by its client's. */
export async function readClock(thread: Thread, signal: AbortSignal): Promise<Date> {
  if (timeSettings(thread.config.raw)?.external !== true) return new Date();
  try {
    const time = await askClient(thread, signal);
    thread.services.get(clientClock).time = time;
    return time;
  } catch (error) {
    signal.throwIfAborted();
    const why = errorMessage(error);
    throw new Error(`failed to read current time: ${why}; answer currentTime/read, or set clock_source = "system"`);
  }
}

async function askClient(thread: Thread, signal: AbortSignal): Promise<Date> {
  // Clocks of two clients may differ, and none is known to be the right one.
  const { size } = thread.subscribers;
  if (size > 1) throw new Error(`${size} clients are subscribed to the thread, but its clock needs exactly one`);
  const patience = AbortSignal.timeout(patienceMs);
  const limit = AbortSignal.any([signal, patience]);
  const answer: { readonly currentTimeAt?: unknown } | null = await thread.questions
    .ask("currentTime/read", { threadId: thread.id }, limit)
    .catch((error: unknown) => {
      throw patience.aborted ? new Error(`no client answered within ${patienceMs / 1000} s`) : error;
    });
  const time = new Date(Number.isInteger(answer?.currentTimeAt) ? Number(answer?.currentTimeAt) * 1000 : Number.NaN);
  if (Number.isNaN(time.getTime())) throw new Error("currentTimeAt is not a number of seconds");
  return time;
}
