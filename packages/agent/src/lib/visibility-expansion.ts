import { AgentError } from "./agent-error.ts";

/** The sections that the model asks to see in full. */
export interface ExpansionRequest {
  /** By the path of a section's keys. */
  readonly requestedOverrides: Readonly<Record<string, "full">>;
  /** Why, in the model's words. */
  readonly reason: string;
  /** The keys as the model wrote them. */
  readonly sectionKeys: readonly string[];
}

/**
 * The model asks for sections that it has seen the summaries of. The caller dispatches a `SetVisibilityOverride`
 * for each, and evaluates again; `evaluateWithExpansion` does so.
 */
export class VisibilityExpansionRequired extends AgentError implements ExpansionRequest {
  override readonly name: string = "VisibilityExpansionRequired";
  readonly requestedOverrides: Readonly<Record<string, "full">>;
  readonly reason: string;
  readonly sectionKeys: readonly string[];

  constructor({ requestedOverrides, reason, sectionKeys }: ExpansionRequest) {
    super(`The model asks for the sections ${sectionKeys.join(", ")}: ${reason}`);
    this.requestedOverrides = requestedOverrides;
    this.reason = reason;
    this.sectionKeys = sectionKeys;
  }
}
