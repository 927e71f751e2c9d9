/** Decides who may connect. */
export interface Authenticator {
    /** Judges an `Authorization` header: `undefined` lets the client in, a text says why not and holds no secret. */
    check(authorization: string | null): string | undefined;
}
/** The token of an `Authorization: Bearer` header. */
export declare function bearerToken(authorization: string | null): string | undefined;
