import type { ThreadHandle, TurnEvent, TurnResult } from "@quire/client";

/** Shows a turn while it happens. */
export interface Reporter {
  thread(thread: ThreadHandle): void;
  event(event: TurnEvent): void;
  warning(message: string): void;
  result(result: TurnResult<unknown>): void;
  failure(error: unknown): void;
}
