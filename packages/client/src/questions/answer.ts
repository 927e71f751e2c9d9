/** The reply of a handler to one question. Made by the methods of the request. */
export class Answer {
  /** The reply as it travels. */
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

/** The words for the four answers that every approval has. */
export type ApprovalDecision = "accept" | "acceptForSession" | "decline" | "cancel";
