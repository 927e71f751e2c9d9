/** What a client said of itself. */
export interface ClientFacts {
  readonly name: string;
  readonly version: string;
  /** Whether it may use what is experimental. */
  readonly experimental: boolean;
  /** Whether it vouches for requests to ChatGPT when it is asked to. */
  readonly attests: boolean;
  /** Notifications it does not want. */
  readonly optedOut: ReadonlySet<string>;
}
