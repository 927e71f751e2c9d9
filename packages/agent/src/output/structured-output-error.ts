import type { SchemaIssue } from "@quire/client/schemas";
import { type EvaluationPayload, PromptEvaluationError } from "../limits/evaluation-error.ts";

/** The turn ended well, but what the model wrote is not the output that was asked for. Its phase is `response`. */
export class StructuredOutputError extends PromptEvaluationError {
  override readonly name: string = "StructuredOutputError";
  /** All that the model wrote. */
  readonly text: string;
  readonly issues: readonly SchemaIssue[];

  constructor(
    text: string,
    issues: readonly SchemaIssue[],
    options: { readonly promptName: string; readonly payload: EvaluationPayload },
  ) {
    const list = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
    const what = text.trim() === "" ? "The model wrote nothing" : "The model's output does not fit the schema";
    super(`${what}: ${list}`, { ...options, phase: "response" });
    this.text = text;
    this.issues = issues;
  }
}
