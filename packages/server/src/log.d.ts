/** Where a server tells what happens to it. Nothing of it may hold a secret; what looks like one is masked. */
export interface Log {
    error(message: string, error?: unknown): void;
    warn(message: string, error?: unknown): void;
    info(message: string, error?: unknown): void;
    debug(message: string, error?: unknown): void;
}
/** From silent to talkative. */
export declare const logLevels: readonly ["off", "error", "warn", "info", "debug", "trace"];
/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];
/** How a log is set up. */
export interface LogOptions {
    /** Wins over the environment's `QUIRE_LOG` and `RUST_LOG`. */
    readonly level?: LogLevel | undefined;
    /** `LOG_FORMAT=json` writes one JSON object per line. */
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Where lines go instead of stderr. */
    readonly write?: ((line: string) => void) | undefined;
}
/** Writes to stderr, and to nothing else: stdout belongs to the protocol. Default level: `error`. */
export declare function createLog(options: LogOptions): Log;
/** Tells nobody. */
export declare const silentLog: Log;
