/** A file of the page, as it is served. */
export interface PageFile {
  /** `/` for the page itself; what is under `/assets/` never changes, for its name holds the hash of its content. */
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array;
}
