/** One line of a chunk: kept (and so expected), taken away, or put in. */
export interface ChunkLine {
  readonly kind: "keep" | "remove" | "insert";
  readonly text: string;
}

/** One place of a file that changes. */
export interface Chunk {
  /** Lines that stand somewhere above, outermost first, each given after `@@`. */
  readonly headings: readonly string[];
  readonly lines: readonly ChunkLine[];
  /** The place is at the end of the file. */
  readonly atEnd: boolean;
  /** Line of the patch that it begins with, from 1. */
  readonly patchLine: number;
}

/** What a patch does to one file. Paths are as written. */
export type FileOperation =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update";
      readonly path: string;
      readonly moveTo: string | null;
      readonly chunks: readonly Chunk[];
    };

/** A patch that cannot be read or does not fit. The message says which part and why; the model gets it as it is. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}
