/** Files that tools work on. Paths are relative to `root`, with `/` between their parts. */
export interface Filesystem {
  /** The folder that all of it lies in. */
  readonly root: string;
  readText(path: string): Promise<string>;
  /** Writes a file, and the folders above it. */
  writeText(path: string, text: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Names in a folder, sorted; those of folders end with `/`. */
  list(path?: string): Promise<readonly string[]>;
  /** Remembers the state of all files. Only where a failed tool may take changes back. */
  snapshot?(): Promise<unknown>;
  /** Rolls back every change since the snapshot, including those of others. */
  restore?(snapshot: unknown): Promise<void>;
}
