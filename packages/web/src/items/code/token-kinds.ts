/** Kinds of tokens, in the order of the numbers that stand for them; each is a class `code-KIND`. */
export const tokenKinds = [
  "plain",
  "comment",
  "string",
  "number",
  "keyword",
  "function",
  "type",
  "property",
  "tag",
  "regexp",
  "inserted",
  "deleted",
] as const;

/** A line of code as lengths and kinds in turn: `[5, 4, 3, 0]` is five characters of a keyword, then three plain ones. */
export type CodeTokens = readonly number[];

/** The page's request to the worker: highlight more lines of a text. */
export interface HighlightRequest {
  /** Names the text. */
  readonly id: number;
  readonly language: string;
  /** Whole lines, after those sent before under this id. Null when the text is done with. */
  readonly lines: readonly string[] | null;
}

/** The worker's reply, once for each request with lines. */
export interface HighlightReply {
  readonly id: number;
  readonly lines: readonly CodeTokens[];
}
