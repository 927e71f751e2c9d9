/** Tokens that are made when they are needed; `null` where the user has to sign in first. */
export interface TokenAccess {
  token(): Promise<string | null>;
  renew(refused: string): Promise<string | null>;
}
