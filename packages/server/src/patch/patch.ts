/** A line of a chunk: kept (and so expected), removed or added. */
export interface ChunkLine {
  readonly kind: "keep" | "remove" | "insert";
  readonly text: string;
}

/** A changed place of a file. */
export interface Chunk {
  /** Lines somewhere above it, outermost first, each given after `@@`. */
  readonly headings: readonly string[];
  readonly lines: readonly ChunkLine[];
  /** True when the place is the end of the file. */
  readonly atEnd: boolean;
  /** Line of the patch that it begins with, from 1. */
  readonly patchLine: number;
}

/** An operation on one file. Paths are as written. */
export type FileOperation =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo: string | null;
      readonly chunks: readonly Chunk[];
    };

/** A patch that cannot be parsed or applied. The model gets the message, which says which part and why. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}
