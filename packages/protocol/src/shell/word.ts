/** A word of a command as the shell reads it. */
export interface Word {
  readonly raw: string;
  /** The argument that the command gets; `undefined` when it depends on variables, files or home folders. */
  readonly literal: string | undefined;
  /** True when any of it is quoted or escaped; then it is no keyword, assignment or pattern. */
  readonly quoted: boolean;
}

/** A redirection of input or output. */
export interface Redirect {
  /** `<`, `>`, `>>`, `<<`, `<<-`, `<<<`, `>&`, `<&`, `&>`, `&>>`, `>|`, `<>`. */
  readonly operator: string;
  /** `null` for the operator's default. */
  readonly descriptor: number | null;
  /** A file, a descriptor, or the delimiter of a here-document. */
  readonly target: Word;
  /** The text of a here-document; `literal` when its delimiter is quoted, so that nothing is expanded. */
  readonly body?: { readonly text: string; readonly literal: boolean };
}
