/** The facts about a server that its sandbox needs. */
export interface SandboxOptions {
  /** Nothing in a sandbox writes to it, and its credentials cannot be read. */
  readonly home: string;
  /** For `HOME`, `TMPDIR` and `PATH`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
