/**
 * The tools that a thread has offered to its model. Providers cache requests from their beginning, where the tools
 * are, so these stay as they are while the thread lives.
 */
export interface OfferedTools {
  /** Names in the order of the requests; hosted tools by their type. */
  readonly names: readonly string[];
  /** True when the hosted search reads live pages. */
  readonly liveSearch: boolean;
}
