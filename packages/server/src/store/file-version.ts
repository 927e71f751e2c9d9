/** What a process last saw of a file. */
export interface FileVersion {
  readonly inode: number;
  readonly size: number;
  /** The number of the line that comes next; `undefined` where lines have none. */
  readonly nextOrdinal: number | undefined;
}
