/** A client's description of itself. */
export interface ClientFacts {
  readonly name: string;
  readonly version: string;
  /** True when it may use experimental methods. */
  readonly experimental: boolean;
  /** True when it answers requests for attestation to ChatGPT. */
  readonly attests: boolean;
  readonly optedOut: ReadonlySet<string>;
}
