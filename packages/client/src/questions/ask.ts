import { untilAborted } from "../lib/until-aborted.ts";
import type { ClientWarning } from "../port/client-warning.ts";
import { Answer } from "./answer.ts";

/** A question on its way to its handler. */
export interface Question<Request> {
  readonly method: string;
  readonly request: Request;
  /** The option that sets a handler, such as `onApproval`. */
  readonly option: string;
  /** Undefined where nobody answers. */
  readonly handler: ((request: Request) => unknown) | undefined;
  /** Makes an answer of a shorthand; undefined where it is none. */
  readonly fromShorthand: (shorthand: unknown) => Answer | undefined;
  /** The answer where there is no other. */
  readonly refusal: () => Answer;
}

/** Options of {@link ask}. */
export interface AskContext {
  readonly signal: AbortSignal;
  readonly warn: (warning: ClientWarning) => void;
}

/** Asks the handler. It never rejects, and gives the refusal where there is no answer. */
export async function ask<Request>(question: Question<Request>, { signal, warn }: AskContext): Promise<unknown> {
  const { method, request, option, handler, fromShorthand, refusal } = question;
  const refuse = (code: ClientWarning["code"], message: string, details: unknown): unknown => {
    warn({ code, message, details });
    return refusal().result;
  };
  if (handler === undefined) {
    const remedy = `set ${option}, or use one of the policies`;
    return refuse("declined", `${method} was declined, since nobody answers it: ${remedy}`, { method, request });
  }
  try {
    const given = await untilAborted(Promise.resolve(request).then(handler), signal);
    const answer = given instanceof Answer ? given : fromShorthand(given);
    if (answer !== undefined) return answer.result;
  } catch (error) {
    // Withdrawn: the reply goes nowhere, and nobody needs to hear of it.
    if (signal.aborted) return refusal().result;
    const details = { method, request, error };
    return refuse("handler-failed", `${method} was declined, since ${option} failed: ${String(error)}`, details);
  }
  const remedy = `return what a method of the request gives, such as request.accept()`;
  return refuse("declined", `${method} was declined, since ${option} gave no answer: ${remedy}`, { method, request });
}
