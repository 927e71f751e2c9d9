/** An older Codex that a server stands for: what came later is as unknown to its clients as it is there. */
export interface Compat {
  readonly version: string;
  /** True for a request or notification that this version has, or may have. */
  hasMethod(method: string): boolean;
  /** The same for a kind of item. */
  hasItem(type: string): boolean;
}
