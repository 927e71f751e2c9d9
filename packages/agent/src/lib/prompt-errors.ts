import { AgentError } from "./agent-error.ts";

/** The place of a mistake in a prompt. */
export interface PromptErrorOptions extends ErrorOptions {
  /** The keys of the section and those above it, joined by dots. */
  readonly path?: string | undefined;
  /** The placeholder, without its dollar sign. */
  readonly placeholder?: string | undefined;
}

/** Something is wrong with a prompt, at a place that can be named. */
abstract class PromptError extends AgentError {
  readonly path: string | undefined;
  readonly placeholder: string | undefined;

  constructor(message: string, { path, placeholder, ...options }: PromptErrorOptions = {}) {
    super(message, options);
    this.path = path;
    this.placeholder = placeholder;
  }
}

/** A prompt, section or tool was put together wrongly. */
export class PromptValidationError extends PromptError {
  override readonly name: string = "PromptValidationError";
}

/** A prompt could not be rendered with what was bound to it. */
export class PromptRenderError extends PromptError {
  override readonly name: string = "PromptRenderError";
}
