import type { RunOutcome } from "../events/snapshot.ts";

/** Why a run is ended from outside, and what becomes of it. The reason of the run's aborted signal. */
export class StopRun extends Error {
  override readonly name = "StopRun";
  readonly code: string;
  readonly outcome: RunOutcome;
  /** Remove the workspace too, because the issue is finished. */
  readonly cleanUp: boolean;

  constructor(outcome: RunOutcome, code: string, message: string, options: { cleanUp?: boolean } = {}) {
    super(message);
    this.outcome = outcome;
    this.code = code;
    this.cleanUp = options.cleanUp ?? false;
  }
}
