import type { IssuedTokens } from "./issuer.ts";

/** A login that waits for a user. */
export interface PendingLogin {
  readonly id: string;
  /** Resolves with the tokens when the user is through; rejects with the reason to be told. */
  readonly done: Promise<IssuedTokens>;
  /** Gives up; `done` rejects. Idempotent. */
  cancel(why: string): void;
}

/** Why a login did not come about, in words for the user. */
export class LoginFailure extends Error {
  override readonly name = "LoginFailure";
}

/** A user who has not come back after so long will not. */
export const loginTimeoutMs: number = 10 * 60 * 1000;
