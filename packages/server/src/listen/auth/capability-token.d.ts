import { type Authenticator } from "./authenticator.ts";
/** Lets in whoever knows one token. Only the token's digest is held, and compared in constant time. */
export declare function capabilityToken(sha256: Uint8Array): Authenticator;
/** The SHA-256 of a token. */
export declare function digest(token: string): Uint8Array;
