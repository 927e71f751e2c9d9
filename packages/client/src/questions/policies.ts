import type { ToolRequestUserInputQuestion } from "@quire/protocol";
import { isObject } from "../schema/json-value.ts";
import type { QuestionHandlers } from "./handlers.ts";
import type { ElicitationRequest } from "./requests.ts";

/** The answer to a question when there is no user. */
export const nonInteractiveAnswer: string = "This is a non-interactive session. Operator input is unavailable.";

/** A ready-made set of handlers, to be spread into the options of a client. */
export type QuestionPolicy = Required<Pick<QuestionHandlers, "onApproval" | "onUserInput" | "onElicitation">>;

/** Ready-made sets of handlers: `new CodexClient({ ...policies.nonInteractive })`. */
export const policies: {
  /**
   * Accepts whatever is asked, for the session where that is possible: commands and changes run unseen. Questions to
   * the user get the option that approves, else the first option, else {@link nonInteractiveAnswer}. A form that needs
   * more than its defaults is declined: there is nothing true to fill in.
   */
  readonly acceptAll: QuestionPolicy;
  /** Declines whatever is asked and skips questions, without warnings. */
  readonly declineAll: QuestionPolicy;
  /** Declines approvals and forms, and tells the model that nobody is there to answer questions. */
  readonly nonInteractive: QuestionPolicy;
} = {
  acceptAll: {
    onApproval: (request) => request.acceptForSession(),
    onUserInput: (request) => request.answer(forEach(request.questions, approvingAnswer)),
    onElicitation: acceptElicitation,
  },
  declineAll: {
    onApproval: (request) => request.decline(),
    onUserInput: (request) => request.decline(),
    onElicitation: (request) => request.decline(),
  },
  nonInteractive: {
    onApproval: (request) => request.decline(),
    onUserInput: (request) => request.answer(forEach(request.questions, () => nonInteractiveAnswer)),
    onElicitation: (request) => request.decline(),
  },
};

function forEach(
  questions: readonly ToolRequestUserInputQuestion[],
  answer: (question: ToolRequestUserInputQuestion) => string,
): Record<string, string> {
  return Object.fromEntries(questions.map((question) => [question.id, answer(question)]));
}

function approvingAnswer({ options }: ToolRequestUserInputQuestion): string {
  const labels = (options ?? []).map(({ label }) => label);
  const forSession = labels.find((label) => /^(approve|allow)\b.*\bsession\b/i.test(label));
  const approving = labels.find((label) => /^(approve|allow|accept|yes)\b/i.test(label));
  return forSession ?? approving ?? labels[0] ?? nonInteractiveAnswer;
}

function acceptElicitation(request: ElicitationRequest) {
  const { params, mode } = request;
  if (request.approvalKind !== undefined)
    return request.accept({}, canPersist(params._meta) ? { persist: "session" } : {});
  if (mode === "url") return request.accept();
  const content = request.form === undefined ? undefined : defaults(request.form);
  return content === undefined ? request.decline() : request.accept(content);
}

function canPersist(meta: unknown): boolean {
  const offered = isObject(meta) ? meta.persist : undefined;
  return offered === "session" || (Array.isArray(offered) && offered.includes("session"));
}

/** The form filled in with its defaults; undefined where something required has none. */
function defaults({
  properties,
  required,
}: NonNullable<ElicitationRequest["form"]>): Record<string, unknown> | undefined {
  const entries = Object.entries(properties).map(([name, field]) => [name, field.default] as const);
  const known = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
  return (required ?? []).every((name) => Object.hasOwn(known, name)) ? known : undefined;
}
