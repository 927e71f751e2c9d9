/** Tokens that are made when they are needed; `null` where the user has to sign in first. */
export interface TokenAccess {
  token(): Promise<string | null>;
  /** Replaces a refused token. */
  renew(refused: string): Promise<string | null>;
}
