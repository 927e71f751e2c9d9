import { timingSafeEqual } from "node:crypto";
import { toSeconds } from "../../lib/seconds.ts";
import { type Authenticator, bearerToken } from "./authenticator.ts";

/** The requirements of a signed token. */
export interface SignedTokenOptions {
  readonly secret: string;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly maxClockSkewSeconds: number;
}

/** Accepts JWTs that are signed with the shared secret by HMAC-SHA-256 and valid now. */
export function signedBearerToken(options: SignedTokenOptions): Authenticator {
  return {
    check(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) return "missing websocket bearer token";
      const claims = verifiedClaims(token, options.secret);
      return claims ? complaint(claims, options) : "invalid websocket jwt";
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

function verifiedClaims(token: string, secret: string): Json | undefined {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
  // The algorithm is fixed, not taken from the token: "none" or another key's kind must not be chosen by a client.
  if (parseObject(header)?.alg !== "HS256") return undefined;
  const expected = new Bun.CryptoHasher("sha256", secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return parseObject(payload);
}

function complaint(claims: Json, options: SignedTokenOptions): string | undefined {
  const { exp, nbf, iss, aud } = claims;
  const skew = options.maxClockSkewSeconds;
  const now = toSeconds(Date.now());
  if (!Number.isSafeInteger(exp) || (nbf !== undefined && !Number.isSafeInteger(nbf))) return "invalid websocket jwt";
  if (now > (exp as number) + skew) return "expired websocket jwt";
  if (nbf !== undefined && now < (nbf as number) - skew) return "websocket jwt is not valid yet";
  if (options.issuer !== undefined && iss !== options.issuer) return "websocket jwt issuer mismatch";
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (options.audience !== undefined && !audiences.includes(options.audience)) return "websocket jwt audience mismatch";
  return undefined;
}

function parseObject(part: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
