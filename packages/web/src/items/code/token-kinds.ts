/** What a piece of code can be, in the order of the numbers that stand for it; each is a class `code-KIND`. */
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

/** What the page asks the worker: to highlight more lines of a text. */
export interface HighlightRequest {
  /** Texts are told apart by it. */
  readonly id: number;
  readonly language: string;
  /** Whole lines, after those sent before under this id. Null when the text is done with. */
  readonly lines: readonly string[] | null;
}

/** What the worker answers, once for each request with lines. */
export interface HighlightReply {
  readonly id: number;
  readonly lines: readonly CodeTokens[];
}
