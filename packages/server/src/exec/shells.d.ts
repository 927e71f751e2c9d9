/** The path of a shell: the one asked for by name or path, else the user's own. Falls back to `/bin/sh`. */
export declare function findShell(asked?: string): string;
/** The words that make a shell run a script. A login shell reads the user's profile first. */
export declare function shellCommand(shell: string, script: string, login: boolean): string[];
