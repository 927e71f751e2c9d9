import { AgentError } from "../lib/agent-error.ts";

/** A resource cannot be had: nobody provides it, it depends on itself, or this is not the time. */
export class ResourceError extends AgentError {
  override readonly name: string = "ResourceError";
}
