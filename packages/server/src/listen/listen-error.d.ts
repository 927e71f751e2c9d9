/** An address or an option that cannot be served. The message names the remedy. */
export declare class ListenError extends Error {
    readonly name = "ListenError";
    /** Whether the command line itself is wrong, as opposed to what it refers to. */
    readonly usage: boolean;
    constructor(message: string, options?: ErrorOptions & {
        readonly usage?: boolean;
    });
}
