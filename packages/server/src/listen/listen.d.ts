import type { Acceptor, Listener } from "./acceptor.ts";
import type { AuthOptions } from "./auth/auth-options.ts";
/** Where and how to serve. */
export interface ListenOptions {
    /** `stdio://`, `ws://IP:PORT`, `unix://`, `unix://PATH` or `off`. */
    readonly url: string;
    /** Where the default unix socket lies. Default: as for the server. */
    readonly home?: string | undefined;
    readonly auth?: AuthOptions | undefined;
    /** Serve beyond this machine though no auth is set. */
    readonly allowUnauthenticated?: boolean | undefined;
    /** Told the banner that names the real address; sockets only. */
    readonly announce?: ((text: string) => void) | undefined;
}
/**
 * Serves clients at an address. Throws a ListenError for what cannot be served. Each way is loaded only when used, so
 * that a start on stdio stays quick.
 */
export declare function listen(acceptor: Acceptor, options: ListenOptions): Promise<Listener>;
