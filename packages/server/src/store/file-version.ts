/** The state of a file when a process last saw it. */
export interface FileVersion {
  readonly inode: number;
  readonly size: number;
  /** The next line number; `undefined` when lines have none. */
  readonly nextOrdinal: number | undefined;
}
