/** Reasons for which a workflow is refused. */
export type WorkflowErrorCode =
  /** The file cannot be read. */
  | "missing_workflow_file"
  /** The front matter is no YAML, or is not closed. */
  | "workflow_parse_error"
  /** The front matter is YAML but no map. */
  | "workflow_front_matter_not_a_map"
  /** A setting is missing or has a value that it cannot have. */
  | "invalid_workflow_config"
  /** It may run something else than what a person agreed to. */
  | "workflow_not_agreed"
  /** The prompt is not a valid Liquid template. */
  | "template_parse_error"
  /** The prompt uses a variable or filter that there is not, or takes too long. */
  | "template_render_error";

/** A workflow that cannot be used as it is. */
export class WorkflowError extends Error {
  override readonly name = "WorkflowError";
  readonly code: WorkflowErrorCode;

  constructor(code: WorkflowErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
