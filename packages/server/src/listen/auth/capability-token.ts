import { timingSafeEqual } from "node:crypto";
import { type Authenticator, bearerToken } from "./authenticator.ts";

/** Accepts one token. Only its digest is kept, and compared in constant time. */
export function capabilityToken(sha256: Uint8Array): Authenticator {
  return {
    check(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) return "missing websocket bearer token";
      return timingSafeEqual(digest(token), sha256) ? undefined : "invalid websocket bearer token";
    },
  };
}

/** The SHA-256 of a token. */
export function digest(token: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(token).digest();
}
