import type { ToolCall } from "../record/tool-call.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";

/** Calls of one response that run at the same time; the others wait for their turn. */
export const callsAtOnce = 32;

/** Maximum calls in one response; models usually make some ten. */
const maxInResponse = 256;

/** Calls after which a turn fails: hours of work, or a model in a loop. */
const maxInTurn = 10_000;

/** A call and what it is known by here. */
export interface AdmittedCall {
  readonly call: ToolCall;
  /** The output in place of running it. */
  readonly refusal: string | undefined;
}

/** Decides which calls of a response are run. Each gets an id of its own in the turn: items go by it. */
export function admitCalls(turn: ActiveTurn, calls: readonly ToolCall[]): AdmittedCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const refusal =
      index >= maxInResponse
        ? `${call.name} was not run: only ${maxInResponse} calls of one response are; make the rest in the next`
        : seen.has(call.callId)
          ? `${call.name} was not run: an earlier call of this response has the same id, ${call.callId}`
          : undefined;
    seen.add(call.callId);
    return { call: refusal === undefined ? { ...call, callId: freeId(turn, call.callId) } : call, refusal };
  });
}

/** Some models restart their numbering with every response. */
function freeId({ callIds }: ActiveTurn, wanted: string): string {
  let id = wanted;
  for (let n = 2; callIds.has(id); n++) id = `${wanted}-${n}`;
  callIds.add(id);
  return id;
}

/** Counts calls that were answered; throws when a turn has made too many. */
export function countCalls(turn: ActiveTurn, calls: number): void {
  turn.calls += calls;
  if (turn.calls < maxInTurn) return;
  throw new Error(
    `The model has called tools ${turn.calls} times in this turn, the most is ${maxInTurn}; start another turn to continue`,
  );
}

/** Runs some work for each entry, so many at a time. Gives the results in the order of the entries. */
export async function inPool<Entry, Result>(
  entries: readonly Entry[],
  atOnce: number,
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < entries.length; at = next++) results[at] = await work(entries[at] as Entry);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, worker));
  return results;
}
