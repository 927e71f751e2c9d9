import { formatIssues, type SchemaIssue } from "../schema/issue.ts";

const brand = Symbol.for("@quire/client/OutputError");

/** A turn ended without the output that was asked for: the model wrote something else, or was interrupted before. */
export class OutputError extends Error {
  override readonly name: string = "OutputError";
  /** The model's text. */
  readonly text: string;
  /** The reasons why it does not fit. */
  readonly issues: readonly SchemaIssue[];
  /** True when the turn was interrupted, by this client or another. */
  readonly interrupted: boolean;
  /** The turn has run; a retry runs another. */
  readonly mayHaveRun: boolean = true;

  constructor(text: string, issues: readonly SchemaIssue[] | "interrupted", options?: ErrorOptions) {
    const interrupted = issues === "interrupted";
    const unfit = () => `The model's output does not fit the schema:\n${formatIssues(interrupted ? [] : issues)}`;
    super(interrupted ? "The turn was interrupted before it gave its output" : unfit(), options);
    this.text = text;
    this.issues = interrupted ? [] : issues;
    this.interrupted = interrupted;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells an OutputError, also one made by another copy of this package. */
  static is(value: unknown): value is OutputError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
