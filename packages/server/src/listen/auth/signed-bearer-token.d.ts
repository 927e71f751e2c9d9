import { type Authenticator } from "./authenticator.ts";
/** What a signed token must say. */
export interface SignedTokenOptions {
    /** The HMAC key. */
    readonly secret: string;
    readonly issuer?: string | undefined;
    readonly audience?: string | undefined;
    /** How far the clocks may be apart. */
    readonly maxClockSkewSeconds: number;
}
/** Lets in whoever brings a JWT that is signed with the shared secret by HMAC-SHA-256 and holds now. */
export declare function signedBearerToken(options: SignedTokenOptions): Authenticator;
