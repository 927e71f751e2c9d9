import { ServerFault } from "../lib/faults.ts";
import type { IssuedTokens } from "./issuer.ts";

/** A login that waits for a user. */
export interface PendingLogin {
  readonly id: string;
  /** Resolves with the tokens; rejects with the reason for the user. */
  readonly done: Promise<IssuedTokens>;
  /** `done` rejects. Idempotent. */
  cancel(why: string): void;
}

/** The reason why a login failed, for the user. */
export class LoginFailure extends ServerFault {
  override readonly name = "LoginFailure";
}

/** Time that a login waits for its user. */
export const loginTimeoutMs: number = 10 * 60 * 1000;
