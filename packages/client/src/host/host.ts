/** Variables of a process; one that is `undefined` is not set. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A command whose program is to be found. */
export interface LocateRequest {
  readonly command: readonly string[];
  /** The whole environment of the program. */
  readonly env: Environment;
  /** Folders from which `node_modules` are searched upwards. Default: that of the running program. */
  readonly from?: readonly string[] | undefined;
  /** Default: the user's. */
  readonly home?: string | undefined;
  /** Folders of programs for all users. Default: those of Node, Homebrew and the system. */
  readonly shared?: readonly string[] | undefined;
}

/** A program to start, and its options. */
export interface SpawnRequest {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  /** Variables besides those of this process. */
  readonly env?: Environment | undefined;
  readonly shutdownMs?: number | undefined;
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
  readonly maxMessageBytes?: number | undefined;
}
