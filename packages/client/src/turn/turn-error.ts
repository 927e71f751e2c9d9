import type { CodexErrorInfo, TurnError as WireTurnError } from "@quire/protocol";
import type { TurnResult } from "./turn-result.ts";

const brand = Symbol.for("@quire/client/TurnError");

/** A turn that ended as failed. */
export class TurnError extends Error {
  override readonly name: string = "TurnError";
  /** The server's kind of failure: a string or an object with one key. */
  readonly codexErrorInfo: CodexErrorInfo | undefined;
  /** The server's further details. */
  readonly additionalDetails: string | undefined;
  /** The last that a spawned server wrote to stderr; empty for one reached by socket. */
  readonly stderr: string;
  /** The turn up to its failure. Not enumerable: printing the error shows a screenful, not every item. */
  declare readonly result: TurnResult;
  /** A failed turn has run: commands may have been executed and files changed. */
  readonly mayHaveRun: boolean = true;

  constructor(error: WireTurnError, result: TurnResult, stderr: string) {
    super(error.message);
    this.codexErrorInfo = error.codexErrorInfo ?? undefined;
    this.additionalDetails = error.additionalDetails ?? undefined;
    this.stderr = stderr;
    Object.defineProperty(this, "result", { value: result });
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells a TurnError, also one made by another copy of this package. */
  static is(value: unknown): value is TurnError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
