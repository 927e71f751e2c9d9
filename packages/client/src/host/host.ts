/** A program to start, and its options. */
export interface SpawnRequest {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly shutdownMs?: number | undefined;
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
  readonly maxMessageBytes?: number | undefined;
}
