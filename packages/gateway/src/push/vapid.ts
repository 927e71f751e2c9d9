import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import type { StateFile } from "../state/state-file.ts";

/** A header holds for this long; push services take no more than a day. */
const lifeSeconds = 12 * 3600;

/** The key by which push services know this gateway (RFC 8292). It is kept, for subscriptions are bound to it. */
export class Vapid {
  readonly #private: KeyObject;
  /** For browsers, in base64url. */
  readonly publicKey: string;

  constructor(state: StateFile) {
    const kept = keyOf(state.get("vapid"));
    const jwk = kept ?? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
    if (kept === undefined) state.set("vapid", jwk);
    this.#private = createPrivateKey({ key: jwk, format: "jwk" });
    const point = [Buffer.of(4), Buffer.from(jwk.x ?? "", "base64url"), Buffer.from(jwk.y ?? "", "base64url")];
    this.publicKey = Buffer.concat(point).toString("base64url");
  }

  /** The `Authorization` header for a push service. */
  authorization(endpoint: string): string {
    const claims = {
      aud: new URL(endpoint).origin,
      exp: Math.floor(Date.now() / 1000) + lifeSeconds,
      sub: "mailto:quire@localhost.invalid",
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
    const signature = sign("sha256", Buffer.from(signed), { key: this.#private, dsaEncoding: "ieee-p1363" });
    return `vapid t=${signed}.${signature.toString("base64url")}, k=${this.publicKey}`;
  }
}

function keyOf(value: unknown): JsonWebKey | undefined {
  try {
    createPrivateKey({ key: value as JsonWebKey, format: "jwk" });
    const jwk = value as JsonWebKey;
    return jwk.crv === "P-256" && jwk.x !== undefined && jwk.y !== undefined ? jwk : undefined;
  } catch {
    return undefined;
  }
}
