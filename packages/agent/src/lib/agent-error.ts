const brand = Symbol.for("@quire/agent/AgentError");

/** The base of every error of this package, so that a program can tell them from its own. */
export class AgentError extends Error {
  override readonly name: string = "AgentError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells an error of this package, also of another copy of it. */
  static is(value: unknown): value is AgentError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
