import type { Failure } from "../failure.ts";

/** A request was refused for its form: another form may be taken. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
