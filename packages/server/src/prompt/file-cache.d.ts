/**
 * Reads files and folders, and again only when they changed: one `stat` each for what is known already.
 * Bounded: beyond the limit all is forgotten, which costs one more read each.
 */
export declare class FileCache {
    #private;
    /** @param max How many files and folders are remembered. */
    constructor(max?: number);
    /** A file's bytes; `undefined` where there is no such file. Other failures are thrown. */
    bytes(path: string): Uint8Array | undefined;
    /** The names in a folder; empty where there is no such folder or it cannot be read. */
    names(path: string): ReadonlySet<string>;
}
