/** The fields that objects of one type always have on the wire, and the types that it holds. */
export interface DefaultShape {
  /** Sent as `null` where nothing is known. */
  readonly null?: readonly string[];
  /** Sent as `false` where nothing is known. */
  readonly false?: readonly string[];
  /** Fields whose values, or the elements of whose values, have a shape; `X{}` where they are the values of a map. */
  readonly in?: {
    readonly [field: string]: string;
  };
  /** The field that tells the variants apart; `""` where each has a key of its own. */
  readonly by?: string;
  readonly variants?: {
    readonly [tag: string]: DefaultShape;
  };
}
