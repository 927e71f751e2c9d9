/** Where to serve, taken apart. */
export type ListenAddress = {
    readonly kind: "stdio";
} | {
    readonly kind: "off";
}
/** `path` is empty for the default socket in the server's home. */
 | {
    readonly kind: "unix";
    readonly path: string;
} | {
    readonly kind: "websocket";
    readonly host: string;
    readonly port: number;
};
/** Reads a `--listen` value. Throws a {@link ListenError} that lists what is understood. */
export declare function parseListenAddress(url: string): ListenAddress;
/** Whether only this machine can reach an address. */
export declare function isLoopback(host: string): boolean;
/** A host as it stands in a URL. */
export declare function urlHost(host: string): string;
