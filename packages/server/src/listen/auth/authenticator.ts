/** Decides which clients may connect. */
export interface Authenticator {
  /** Checks an `Authorization` header. Returns the reason to refuse, which holds no secret. */
  check(authorization: string | null): string | undefined;
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | null): string | undefined {
  const match = authorization === null ? null : /^bearer +(\S+) *$/i.exec(authorization);
  return match?.[1];
}
