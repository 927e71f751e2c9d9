import type { ResponseItem, Turn, UserInput } from "@quire/protocol";
import type { TurnSettings } from "../record/turn-settings.ts";

/** What a turn does: answers a user, compacts the history, or reviews changes. */
type TurnKind = "regular" | "compact" | "review";

/** Input that waits to be taken in. */
export interface PendingInput {
  readonly input: readonly UserInput[];
  readonly clientId: string | null;
  /** Called when the thread holds it. */
  readonly taken?: (() => void) | undefined;
}

/** What only one turn needs to know. */
export interface TurnRequest {
  readonly kind: TurnKind;
  readonly outputSchema: unknown;
  readonly metadata: Readonly<Record<string, string>>;
  readonly rootTurnId: string | null;
  readonly serviceTier: string | null;
}

/** What may change while a turn runs, for that turn alone. */
export type TurnOverrides = Partial<Pick<TurnSettings, "model" | "effort" | "summary" | "serviceTier">>;

/** The reason of an interrupt. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A turn while it runs. */
export class ActiveTurn {
  readonly id: string = Bun.randomUUIDv7();
  readonly request: TurnRequest;
  startedAtMs = 0;
  /** Whether the history got something that the model has not seen yet. */
  injected = false;
  /** What the model is to be told that no user said, and has not seen yet. */
  readonly notes: ResponseItem[] = [];
  /** Steering that the model has not seen yet. */
  readonly pending: PendingInput[] = [];
  /** Settings that hold for what is left of this turn, in place of the thread's. */
  settings: TurnOverrides | undefined;
  /** Tool calls of the model so far, and the ids under which they were run. */
  calls = 0;
  readonly callIds: Set<string> = new Set();
  readonly #abort = new AbortController();
  readonly #onInput = new Set<() => void>();
  /** Cuts the response that streams now; for interrupts and for steering. */
  cut: ((reason: Error) => void) | undefined;
  /** Settles when the turn has ended; never rejects. */
  done: Promise<void> = Promise.resolve();

  constructor(request: TurnRequest) {
    this.request = request;
  }

  /** Aborted by an interrupt. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get rootTurnId(): string {
    return this.request.rootTurnId ?? this.id;
  }

  /** Adds input; what the model is saying is cut short for it. */
  steer(input: PendingInput): void {
    this.pending.push(input);
    this.cut?.(new Steered());
    for (const callback of this.#onInput) callback();
  }

  /** Calls back when there is new input, at once where some waits already. The returned function takes that back. */
  onInput(callback: () => void): () => void {
    this.#onInput.add(callback);
    if (this.pending.length > 0) callback();
    return () => this.#onInput.delete(callback);
  }

  /** Ends the turn; resolves when it has ended. */
  interrupt(why: string): Promise<void> {
    const reason = new Interrupted(why);
    this.#abort.abort(reason);
    this.cut?.(reason);
    return this.done;
  }

  /** The turn as the wire shows it while it runs. */
  toWire(startedAt: number | null): Turn {
    return {
      id: this.id,
      rootTurnId: this.rootTurnId,
      items: [],
      itemsView: "notLoaded",
      status: "inProgress",
      error: null,
      startedAt,
      completedAt: null,
      durationMs: null,
    };
  }
}

/** Why a response was cut short: there is something new to say. */
export class Steered extends Error {
  override readonly name = "Steered";
}
