/** A question as pages get it. */
export interface OpenQuestion {
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
}
