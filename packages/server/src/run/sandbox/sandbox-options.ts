/** What a sandbox must know of the server that it protects. */
export interface SandboxOptions {
  /** The server's home: nothing in a sandbox writes to it, and its credentials cannot be read. */
  readonly home: string;
  /** The server's environment, for `HOME`, `TMPDIR` and `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
