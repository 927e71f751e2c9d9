/** A client's description of itself. */
export interface ClientFacts {
  readonly name: string;
  readonly version: string;
  /** True when it may use experimental methods. */
  readonly experimental: boolean;
  /** True when it answers requests for attestation to ChatGPT. */
  readonly attests: boolean;
  /** True when a person is there who can be asked what only a person may answer. */
  readonly hasPerson: boolean;
  /** True when it wants to know what turns cost, which Codex has no notification for. */
  readonly costs: boolean;
  readonly optedOut: ReadonlySet<string>;
}
