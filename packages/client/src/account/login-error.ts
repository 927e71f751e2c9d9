const brand = Symbol.for("@quire/client/LoginError");

/** A login that was started did not come to a good end. */
export class LoginError extends Error {
  override readonly name: string = "LoginError";
  /** The login, where the server names it. */
  readonly loginId: string | undefined;
  /** A login that failed has changed nothing: it may be tried again. */
  readonly mayHaveRun: boolean = false;

  constructor(message: string, loginId: string | undefined) {
    super(message);
    this.loginId = loginId;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells a LoginError, also one made by another copy of this package. */
  static is(value: unknown): value is LoginError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
