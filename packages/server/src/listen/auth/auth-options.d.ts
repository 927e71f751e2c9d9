import type { Authenticator } from "./authenticator.ts";
/** The `--ws-*` flags of the command line, as given. */
export interface AuthOptions {
    readonly mode?: "capability-token" | "signed-bearer-token" | undefined;
    readonly tokenFile?: string | undefined;
    readonly tokenSha256?: string | undefined;
    readonly sharedSecretFile?: string | undefined;
    readonly issuer?: string | undefined;
    readonly audience?: string | undefined;
    readonly maxClockSkewSeconds?: number | undefined;
}
/** Makes what the flags ask for; `undefined` when they ask for nothing. Throws a {@link ListenError} for what does not fit. */
export declare function authenticatorOf(options: AuthOptions): Authenticator | undefined;
