/** One word of a command as the shell reads it. */
export interface Word {
  /** As it is written. */
  readonly raw: string;
  /** What the command gets; `undefined` where that depends on variables, files or home folders. */
  readonly literal: string | undefined;
  /** Whether any of it is quoted or escaped; a quoted word is no keyword, no assignment and no pattern. */
  readonly quoted: boolean;
}

/** A redirection of input or output. */
export interface Redirect {
  /** `<`, `>`, `>>`, `<<`, `<<-`, `<<<`, `>&`, `<&`, `&>`, `&>>`, `>|`, `<>`. */
  readonly operator: string;
  /** Number of the descriptor before the operator; `null` for the operator's own. */
  readonly descriptor: number | null;
  /** A file, a descriptor, or the delimiter of a here-document. */
  readonly target: Word;
  /** The text of a here-document; `literal` when its delimiter is quoted, so that the shell leaves it alone. */
  readonly body?: { readonly text: string; readonly literal: boolean };
}
