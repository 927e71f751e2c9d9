import type { TurnEvent } from "../turn/turn-event.ts";
import type { Approvals, OpenApproval } from "./approvals.ts";
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
    if (open && open.current.length > 0) yield { open: open.current };
    for (let next = settled(events.next()); ; ) {
      const step = await (open ? Promise.race([next, open.change()]) : next);
      if (step === "changed") {
        yield { open: open?.current ?? [] };
        continue;
      }
      if (!step || step.done) return undefined;
      number += step.value.type === "lagged" ? step.value.missed : 1;
      yield { event: step.value, number };
      next = settled(events.next());
    }
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
  #last: string;
  #wake: (() => void) | undefined;
  readonly stop: () => void;

  constructor(approvals: Approvals, threadId: string) {
    this.#approvals = approvals;
    this.#threadId = threadId;
    this.#last = this.#ids();
    this.stop = approvals.subscribe(() => this.#wake?.());
  }

  get current(): readonly OpenApproval[] {
    return this.#approvals.snapshot().filter(({ threadId }) => threadId === this.#threadId);
  }

  /** Resolves when they are not those of the last call any more. */
  change(): Promise<"changed"> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.#ids() === this.#last) return;
        this.#last = this.#ids();
        resolve("changed");
      };
      this.#wake();
    });
  }

  #ids(): string {
    return this.current.map(({ id }) => id).join(" ");
  }
}
