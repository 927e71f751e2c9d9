import { formatIssues, type SchemaIssue } from "../schema/issue.ts";

const brand = Symbol.for("@quire/client/OutputError");

/** A turn ended well, but what the model wrote is not the output that was asked for. */
export class OutputError extends Error {
  override readonly name: string = "OutputError";
  /** The model's text. */
  readonly text: string;
  /** The reasons why it does not fit. */
  readonly issues: readonly SchemaIssue[];
  /** The turn has run; a retry runs another. */
  readonly mayHaveRun: boolean = true;

  constructor(text: string, issues: readonly SchemaIssue[], options?: ErrorOptions) {
    super(`The model's output does not fit the schema:\n${formatIssues(issues)}`, options);
    this.text = text;
    this.issues = issues;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells an OutputError, also one made by another copy of this package. */
  static is(value: unknown): value is OutputError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
