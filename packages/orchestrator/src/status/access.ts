import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { problem } from "./responses.ts";

/** Fewest characters of a token that somebody chose. */
const minTokenLength = 16;

/** Paths served without a token: these files hold nothing of the state. */
const open: ReadonlySet<string> = new Set(["/", "/dashboard.css", "/dashboard.js", "/healthz"]);

/** A new token: 192 random bits that need no escaping anywhere. */
export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

/** The token, if it is one that cannot be guessed and can be sent. Throws otherwise. */
export function validToken(token: string): string {
  if (token.length >= minTokenLength && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new Error(
    `The status API's token must have at least ${minTokenLength} printable characters: openssl rand -hex 24`,
  );
}

/**
 * Refuses who does not know the token, and what a plain form of a web page could send. Other users of this machine can
 * open connections here too: an address is no proof.
 */
export function requireToken(request: Request, pathname: string, token: string): Response | null {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!(reads && open.has(pathname)) && !knows(request.headers.get("authorization"), token)) {
    const message =
      "Token required: open the address printed by quire orchestrate, or send Authorization: Bearer TOKEN.";
    return problem(401, { code: "unauthorized", message }, { "www-authenticate": "Bearer" });
  }
  if (request.method !== "POST" || isJson(request.headers.get("content-type"))) return null;
  return problem(415, {
    code: "unsupported_media_type",
    message: "Commands are JSON: send Content-Type: application/json.",
  });
}

function knows(header: string | null, token: string): boolean {
  const [, given = ""] = /^bearer +(\S+)$/i.exec(header ?? "") ?? [];
  // Hashes have one length: how long the comparison takes tells nothing of the token.
  return timingSafeEqual(hash(given), hash(token));
}

const hash = (text: string) => createHash("sha256").update(text).digest();

const isJson = (type: string | null) => /^application\/json\s*(;|$)/i.test(type ?? "");
