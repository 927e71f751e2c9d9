import type { ResponseItem, Turn, UserInput } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

type TurnKind = "regular" | "compact" | "review";

/** Input that waits to be taken in. */
export interface PendingInput {
  readonly input: readonly UserInput[];
  readonly clientId: string | null;
  /** Called when the thread has stored it. */
  readonly taken?: (() => void) | undefined;
}

/** The parameters of one turn. */
export interface TurnRequest {
  readonly kind: TurnKind;
  readonly outputSchema: unknown;
  readonly metadata: Readonly<Record<string, string>>;
  readonly rootTurnId: string | null;
  readonly serviceTier: string | null;
}

/** Settings, and the configuration of their folder. */
export interface WorkSettings {
  readonly settings: TurnSettings;
  readonly config: EffectiveConfig;
}

/** The place and the folder in which commands run. */
export type TurnPlace = Pick<TurnSettings, "environment" | "cwd" | "runtimeWorkspaceRoots">;

/** Settings that can change for the running turn alone. */
export type TurnOverrides = Partial<Pick<TurnSettings, "model" | "effort" | "summary" | "serviceTier"> & TurnPlace>;

/** The reason of an interrupt. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A turn while it runs. */
export class ActiveTurn {
  readonly id: string = Bun.randomUUIDv7();
  readonly request: TurnRequest;
  startedAtMs = 0;
  /** True when the history has items that the model has not seen. */
  injected = false;
  /** True when clients know that another model answers. */
  rerouted = false;
  /** Unseen notes for the model that no user wrote. */
  readonly notes: ResponseItem[] = [];
  readonly pending: PendingInput[] = [];
  /** Replaces the thread's settings for the rest of this turn. */
  settings: TurnOverrides | undefined;
  /** Replaces the thread's settings when this turn has ended. */
  next: WorkSettings | undefined;
  /** The place in which the calls of the running step run, where this turn has its own. */
  place: Partial<TurnPlace> = {};
  /** The settings that the model knows. */
  contextSettings: TurnSettings | undefined;
  /** Tool calls so far, and their ids. */
  calls = 0;
  readonly callIds: Set<string> = new Set();
  readonly #abort = new AbortController();
  readonly #onInput = new Set<() => void>();
  /** Cuts the streaming response, for interrupts and steering. */
  cut: ((reason: Error) => void) | undefined;
  /** Settles when the turn has ended; never rejects. */
  done: Promise<void> = Promise.resolve();

  constructor(request: TurnRequest) {
    this.request = request;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get rootTurnId(): string {
    return this.request.rootTurnId ?? this.id;
  }

  /** Adds input and cuts the streaming response. */
  steer(input: PendingInput): void {
    this.pending.push(input);
    this.cut?.(new Steered());
    for (const callback of this.#onInput) callback();
  }

  /** Calls back on new input, at once if some waits. Returns a function that unregisters. */
  onInput(callback: () => void): () => void {
    this.#onInput.add(callback);
    if (this.pending.length > 0) callback();
    return () => this.#onInput.delete(callback);
  }

  /** Ends the turn with an error. */
  fail(reason: Error): void {
    this.#abort.abort(reason);
    this.cut?.(reason);
  }

  /** Resolves when the turn has ended. */
  interrupt(why: string): Promise<void> {
    const reason = new Interrupted(why);
    this.#abort.abort(reason);
    this.cut?.(reason);
    return this.done;
  }

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

/** The reason for cutting a response: new input. */
export class Steered extends Error {
  override readonly name = "Steered";
}
