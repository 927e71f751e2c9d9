/** An address or an option that cannot be served. The message names the remedy. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** True when the command line itself is wrong, as opposed to what it refers to. */
  readonly usage: boolean;

  constructor(message: string, options: ErrorOptions & { readonly usage?: boolean } = {}) {
    super(message, options);
    this.usage = options.usage ?? false;
  }
}
