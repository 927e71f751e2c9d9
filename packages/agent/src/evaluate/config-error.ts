import { AgentError } from "../lib/agent-error.ts";

/** An option has a value that it cannot have. */
export class AgentConfigError extends AgentError {
  override readonly name: string = "AgentConfigError";
}
