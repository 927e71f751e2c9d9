import type { TurnHandle } from "@quire/client";
import type { Redactor } from "../transcript/redactor.ts";
import type { EvaluationEvent } from "./evaluation-event.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** The parts that following a turn's events needs. */
export interface EventsRequest {
  readonly watch: TurnWatch;
  readonly redactor: Redactor;
  readonly emit: (event: EvaluationEvent) => void;
}

/** Passes a turn's events on, without secrets. Resolves when there are no more; the turn itself says how it ended. */
export async function followEvents(turn: TurnHandle, { watch, redactor, emit }: EventsRequest): Promise<void> {
  try {
    for await (const event of turn) {
      emit(redactor.value(event));
      const { usage } = watch;
      if (event.type === "thread.tokenUsage.updated" && usage) emit({ type: "usage.updated", usage });
    }
  } catch {
    // A failed turn throws out of its loop, too.
  }
}
