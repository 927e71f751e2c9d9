import type { ClientRequests } from "@quire/protocol";

/** A page of a method with a cursor. */
export interface Page<Item = unknown> {
  readonly data: readonly Item[];
  /** The start of the next page; none or `null` at the end. */
  readonly nextCursor?: string | null;
}

type Result<M extends keyof ClientRequests> = ClientRequests[M]["result"];

/** Every method that answers in pages: takes a `cursor` and a `limit`, and gives `data` and `nextCursor`. */
export type CursorMethod = {
  [M in keyof ClientRequests]: "nextCursor" extends keyof Result<M> ? (Result<M> extends Page ? M : never) : never;
}[keyof ClientRequests];

/** Methods whose pages also tell, as `backwardsCursor`, where the same list begins in the other direction. */
export type TwoWayCursorMethod = {
  [M in CursorMethod]: "backwardsCursor" extends keyof Result<M> ? M : never;
}[CursorMethod];

/** An element of the list of a method with a cursor. */
export type ItemOf<M extends CursorMethod> = Result<M>["data"][number];
