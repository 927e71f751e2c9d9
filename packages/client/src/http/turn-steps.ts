import type { Approvals, OpenApproval } from "../questions/approvals.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import type { ShelvedTurn } from "./turn-shelf.ts";

/** An event of a turn with its number, from 1, or the approvals that are open on the thread after a change. */
export type TurnStep =
  | { readonly event: TurnEvent; readonly number: number }
  | { readonly open: readonly OpenApproval[]; readonly event?: undefined };

/** The steps of a turn from its first event to its last. A turn that fails ends them: its result says why. */
export async function* turnSteps(
  { threadId, turn }: ShelvedTurn,
  approvals: Approvals | undefined,
): AsyncGenerator<TurnStep, undefined> {
  const open = approvals && new OpenOnThread(approvals, threadId);
  const events = turn[Symbol.asyncIterator]();
  let number = 0;
  try {
    if (open?.isChanged) yield { open: open.take() };
    for (let next = settled(events.next()); ; ) {
      const step = await (open ? Promise.race([next, open.change()]) : next);
      if (step === "changed") {
        if (open) yield { open: open.take() };
        continue;
      }
      if (!step || step.done) break;
      number += step.value.type === "lagged" ? step.value.missed : 1;
      yield { event: step.value, number };
      next = settled(events.next());
    }
    if (open?.isChanged) yield { open: open.take() };
    return undefined;
  } finally {
    open?.stop();
    await events.return?.();
  }
}

/** A step whose failure is no value: nobody may be waiting for it when it comes. */
function settled<T>(step: Promise<T>): Promise<T | undefined> {
  return step.catch(() => undefined);
}

/** The open approvals of one thread. */
class OpenOnThread {
  readonly #approvals: Approvals;
  readonly #threadId: string;
  /** Ids of those that were taken last. */
  #taken = "";
  #wake: (() => void) | undefined;
  readonly stop: () => void;

  constructor(approvals: Approvals, threadId: string) {
    this.#approvals = approvals;
    this.#threadId = threadId;
    this.stop = approvals.subscribe(() => this.#wake?.());
  }

  /** True if they are not those that were taken last. */
  get isChanged(): boolean {
    return ids(this.#current()) !== this.#taken;
  }

  /** Resolves when they are not those that were taken last. */
  change(): Promise<"changed"> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.isChanged) resolve("changed");
      };
      this.#wake();
    });
  }

  /** Gives them as they are now. */
  take(): readonly OpenApproval[] {
    const current = this.#current();
    this.#taken = ids(current);
    return current;
  }

  #current(): readonly OpenApproval[] {
    return this.#approvals.snapshot().filter(({ threadId }) => threadId === this.#threadId);
  }
}

const ids = (approvals: readonly OpenApproval[]): string => approvals.map(({ id }) => id).join(" ");
