/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;
/** Where config, threads and logs live: `$QUIRE_HOME`, else `$CODEX_HOME`, else `~/.quire`. Always absolute. */
export declare function resolveHome(env: Environment): string;
