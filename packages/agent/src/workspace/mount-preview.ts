/** A summary of the files that were copied for a mount. */
export interface HostMountPreview {
  /** The path as it was asked for, made absolute. */
  readonly hostPath: string;
  /** The same with all links resolved. */
  readonly resolvedHost: string;
  /** Its path in the workspace. */
  readonly mountPath: string;
  /** The first 20 files, sorted, as paths within the mount. */
  readonly entries: readonly string[];
  /** The number of files in all. */
  readonly entryCount: number;
  readonly isDirectory: boolean;
  readonly bytesCopied: number;
}

/** Files that a preview names. */
export const mostPreviewEntries: number = 20;
